"""The page's own style sheets, as far as they hide text: rules of one tag, class or id each.

The rules are laid under the elements' inline styles, where `html_visibility` finds them.
Combined selectors, media rules and outside style sheets are not applied.
"""

from __future__ import annotations

import re

from lxml import etree

from tipstaff.parse.xml_tree import local_name

_MAX_RULES = 5_000
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]{1,500})\{([^{}]{0,2000})\}")
_SIMPLE = re.compile(r"([a-zA-Z][\w-]*)?(?:([.#])([\w-]+))?")
_MAY_HIDE = re.compile(
    r"(?:^|[;\s])(?:display|visibility|opacity|font-size|font|color|text-indent|position|left|top"
    r"|clip|clip-path|height|width|transform|overflow)\s*:",
    re.IGNORECASE,
)


def lay_styles_under(root: etree._Element) -> None:
    """Every element that a rule of the page names gets the rule, its own style on top."""
    rules = _rules(root)
    if not rules:
        return
    for element in root.iter(etree.Element):
        tag = local_name(element)
        keys = [(tag, ""), ("", f"#{element.get('id')}"), (tag, f"#{element.get('id')}")]
        for name in (element.get("class") or "").split():
            keys += [("", f".{name}"), (tag, f".{name}")]
        found = [rules[key] for key in keys if key in rules]
        if found:
            element.set("style", ";".join([*found, element.get("style") or ""]))


def _rules(root: etree._Element) -> dict[tuple[str, str], str]:
    """Declarations by (tag, .class or #id)."""
    rules: dict[tuple[str, str], str] = {}
    for sheet in root.iter("{*}style"):
        text = _without_blocks(_COMMENT.sub("", "".join(sheet.itertext())))
        for selectors, declarations in _RULE.findall(text):
            if not _MAY_HIDE.search(declarations):
                continue
            for selector in selectors.split(","):
                match = _SIMPLE.fullmatch(selector.strip())
                if match and match[0] and len(rules) < _MAX_RULES:
                    key = ((match[1] or "").lower(), (match[2] or "") + (match[3] or ""))
                    rules[key] = ";".join(filter(None, [rules.get(key), declarations.strip()]))
    return rules


def _without_blocks(text: str) -> str:
    """The sheet without `@media { … }` and the like, whose rules hold only sometimes."""
    kept: list[str] = []
    depth, position, skipping = 0, 0, False
    for match in re.finditer(r"@[\w-]+[^{};]*\{|[{}]", text):
        if match[0] == "}":
            depth = max(depth - 1, 0)
            if skipping and depth == 0:
                skipping, position = False, match.end()
            continue
        if match[0].startswith("@") and depth == 0:
            kept.append(text[position : match.start()])
            skipping = True
        depth += 1
    if not skipping:
        kept.append(text[position:])
    return "".join(kept)
