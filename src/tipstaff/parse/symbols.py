"""Characters of symbol fonts, whose codes mean nothing without the font, as real characters."""

from __future__ import annotations

UNKNOWN = "\ufffd"

_WINGDINGS = {
    0x28: "☎", 0x2A: "✉", 0x46: "☞", 0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6E: "■", 0x6F: "□",
    0x71: "❑", 0x72: "❒", 0x75: "◆", 0x76: "❖", 0x77: "◆", 0x9F: "•", 0xA7: "▪", 0xA8: "☐",
    0xAB: "★", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xEF: "⇦",
    0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_SYMBOL = dict(
    zip(
        [*range(0x41, 0x5B), *range(0x61, 0x7B)],
        "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
) | {
    0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓",
    0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•",
    0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xC5: "⊕", 0xCE: "∈", 0xD0: "∠", 0xD2: "®",
    0xD3: "©", 0xD4: "™", 0xD5: "∏", 0xD6: "√", 0xDE: "⇒", 0xE2: "®", 0xE3: "©", 0xE4: "™",
    0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_FONTS: dict[str, dict[int, str]] = {"wingdings": _WINGDINGS, "symbol": _SYMBOL}


def symbol(code: str, font: str) -> str:
    """A character by its hexadecimal code in a font; `UNKNOWN` where only the font knows."""
    try:
        number = int(code, 16)
    except ValueError:
        return UNKNOWN
    table = _FONTS.get(font.casefold())
    if table is not None:
        return table.get(number & 0xFF, chr(number) if number < 0x80 else UNKNOWN)
    # Symbol fonts live in the private area; everything else is a character as it stands.
    is_real = 0x20 <= number < 0xD800 or 0xF900 <= number < 0xFFFE or 0x10000 <= number < 0xF0000
    return chr(number) if is_real else UNKNOWN
