"""pairs.py OUT SET...: sentences of drafts, the words of the places that they cite, and which are true.

A SET is one of tests/drafts, or a file of deeds/: places, and what is true and false of them in other verbs.
"""

import json
import random
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.drafts import _MARK, _one_line, DRAFTS, indexed_for, read_drafts
from benchmarks.verifying import witnesses
from tipstaff.asking import Interrogation
from tipstaff.citation.grammar import parse_citations
from tipstaff.verify.entailed import near_units
from tipstaff.verify.foreign_matter import without_broken_marks
from tipstaff.verify.sentence_check import check_sentence, without_marks
from tipstaff.verify.sentence_stream import SentenceStream

# Whether these are false is not a matter of what the cited words say.
APART = ("right fact", "injected", "instruction", "hidden", "scope", "recipient", "out-of")
DEEDS = Path(__file__).parent / "deeds"
SENTENCES = re.compile(r"(?<=[.!?]) +(?=[A-Z])|\n+")
# Of two places, one is read among others: a citation may be of a page.
MOST_BESIDE = 3


def pairs_of(name):
    return pairs_of_deeds(name) if (DEEDS / f"{name}.jsonl").exists() else pairs_of_drafts(name)


def pairs_of_deeds(name):
    chance, lines = random.Random(name), (DEEDS / f"{name}.jsonl").read_text().splitlines()
    places, found = [json.loads(line) for line in lines], []
    for one in places:
        others = chance.sample(places, chance.choice((0, 0, 0, 1, 2, MOST_BESIDE)))
        told = [other["place"] for other in others if other is not one]
        told.insert(chance.randint(0, len(told)), one["place"])
        units = [unit for place in told for unit in SENTENCES.split(place)]
        # A sentence of the place itself is true, too: that words are shared makes nothing false.
        itself = chance.choice(SENTENCES.split(one["place"]))
        for true, statements in ((True, [*one["true"], itself]), (False, one["false"])):
            found += [
                dict(said=said, told=units, true=true, passed=true, set=name, kind="deed")
                for said in statements
            ]
    return found


def pairs_of_drafts(name):
    found, groups = [], {}
    for draft in read_drafts(DRAFTS / name):
        groups.setdefault((draft.bundle, draft.hidden), []).append(draft)
    for (bundle, hidden), drafts in groups.items():
        with indexed_for(bundle, hidden) as indexed:
            asked = Interrogation(indexed=indexed)
            for draft in drafts:
                for record in sentences_of(draft, asked):
                    found.append(dict(record, set=name, bundle=bundle, kind=draft.kind))
    return found


def sentences_of(draft, asked):
    context = witnesses(asked)
    witness = context.witness(draft.query, may_infer=True)
    stream = SentenceStream()
    for drafted in (*stream.feed(draft.text), *stream.finish()):
        marks = [] if drafted.is_code else parse_citations(drafted.text, names=witness.names)
        said = without_broken_marks(without_marks(drafted.text, marks))
        line = _one_line(said)
        false = any(_one_line(_MARK.sub("", one)) in line for one in draft.false)
        true = any(_one_line(_MARK.sub("", one)) in line for one in draft.true)
        if not said or not (true or false):
            continue
        checked = check_sentence(drafted, witness)
        cited = list(dict.fromkeys(one for mark in marks for one in mark.citations))
        looked_up = [context.look_up(one) for one in cited]
        passed = checked.claim is not None
        if passed:
            how, evidence = "passed", checked.evidence
        elif cited and not any(isinstance(one, str) for one in looked_up):
            how, evidence = "cited", looked_up
        else:
            how, evidence = "searched", context.search(said)[:2]
        if not is_told_by_place(draft.kind, false, how):
            continue
        told = near_units(said, [unit for one in evidence for unit in one.units])
        if told:
            yield dict(said=said, told=told, true=not false, passed=passed)


def is_told_by_place(kind, false, how):
    """Whether it is for the cited words that a sentence is true or false."""
    apart = any(word in kind for word in APART)
    if false:
        return not apart or how == "searched"
    return how == "passed" or (how == "cited" and not apart and "fabricated" not in kind)


def under_headings(pairs):
    """Two of three places of deeds, under what stands above a place of some draft: else headings
    would tell the two apart, and what is learned of deeds would hold without them only."""
    chance = random.Random(0)
    units = [unit for pair in pairs if pair["kind"] != "deed" for unit in pair["told"]]
    headings = sorted({unit.rsplit("\n", 1)[0] for unit in units if "\n" in unit})
    chosen = {}
    for pair in pairs:
        place = tuple(pair["told"])
        if pair["kind"] != "deed":
            continue
        if place not in chosen:
            chosen[place] = chance.choice(headings) if chance.random() < 2 / 3 else ""
        if chosen[place]:
            pair["told"] = [f"{chosen[place]}\n{unit}" for unit in place]


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        every = [pair for pairs in pool.map(pairs_of, sys.argv[2:]) for pair in pairs]
    under_headings(every)
    Path(sys.argv[1]).write_text(json.dumps(every))
    print(len(every), "pairs,", sum(pair["true"] for pair in every), "true")
