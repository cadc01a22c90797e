"""The land that a people or a language is called after: what is Peruvian is of Peru."""

from __future__ import annotations

LANDS = {
    "albanian": "albania", "algerian": "algeria", "american": "america", "angolan": "angola",
    "argentinian": "argentina", "armenian": "armenia", "australian": "australia",
    "austrian": "austria", "belgian": "belgium", "bolivian": "bolivia", "brazilian": "brazil",
    "british": "britain", "bulgarian": "bulgaria", "cambodian": "cambodia",
    "canadian": "canada", "chilean": "chile", "chinese": "china", "colombian": "colombia",
    "croatian": "croatia", "cuban": "cuba", "czech": "czechia", "danish": "denmark",
    "dutch": "netherlands", "ecuadorian": "ecuador", "egyptian": "egypt", "english": "england",
    "estonian": "estonia", "ethiopian": "ethiopia", "finnish": "finland", "french": "france",
    "german": "germany", "ghanaian": "ghana", "greek": "greece", "guatemalan": "guatemala",
    "honduran": "honduras", "hungarian": "hungary", "icelandic": "iceland", "indian": "india",
    "indonesian": "indonesia", "irish": "ireland", "israeli": "israel", "italian": "italy",
    "japanese": "japan", "kenyan": "kenya", "korean": "korea", "latvian": "latvia",
    "lithuanian": "lithuania", "malaysian": "malaysia", "mexican": "mexico",
    "moroccan": "morocco", "nigerian": "nigeria", "norwegian": "norway", "peruvian": "peru",
    "polish": "poland", "portuguese": "portugal", "romanian": "romania", "russian": "russia",
    "rwandan": "rwanda", "scottish": "scotland", "serbian": "serbia", "slovak": "slovakia",
    "slovenian": "slovenia", "spanish": "spain", "swedish": "sweden", "swiss": "switzerland",
    "tanzanian": "tanzania", "thai": "thailand", "tunisian": "tunisia", "turkish": "turkey",
    "ugandan": "uganda", "ukrainian": "ukraine", "vietnamese": "vietnam", "welsh": "wales",
    "zambian": "zambia",
}  # fmt: skip
_LANDS_AND_PEOPLES = frozenset((*LANDS, *LANDS.values()))


def is_land(word: str) -> bool:
    """Whether a word is a land, or a people or a language."""
    return word.casefold() in _LANDS_AND_PEOPLES
