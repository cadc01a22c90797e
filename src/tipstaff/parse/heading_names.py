"""Style names that say "heading", in the languages that word processors speak."""

from __future__ import annotations

import re

# Word keeps "heading 1" in every language; other writers translate it.
_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|nagłówek|заголовок|見出し"
    r"|标题|標題|제목|otsikko|nadpis|başlık|címsor|επικεφαλίδα|titlu|encabezado|cabeçalho"
    r"|naslov|antraštė|virsraksts|pealkiri|tiêu đề|หัวเรื่อง)\s*([1-9])"
)
_TITLE = frozenset(
    ("title", "titel", "titre", "título", "titolo", "tytuł", "название", "表題", "标题", "標題",
     "제목", "otsikko", "název", "konu başlığı", "cím", "τίτλος", "titlu", "tittel")
)  # fmt: skip


def level_by_name(name: str) -> int | None:
    """The level of a heading style, 1 for a title, None for any other style."""
    name = " ".join(name.casefold().split())
    if match := _HEADING.fullmatch(name):
        return int(match[1])
    return 1 if name in _TITLE else None
