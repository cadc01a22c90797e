"""train.py PAIRS OUT [--held SET,SET]: trees over the traits of `verify/arrangement.py`.

PAIRS are statements of drafts with the words of their places (`training/support/pairs.py`). To what is
false there come changed copies of what is true (`lies.py`), at a tenth of the weight.
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))
from lies import lies

from tipstaff.verify.arrangement import traits

# The label is what is false of these, and it is taken off before a statement is checked.
APART = ("bold label",)
# Written under the prompt, and so most like what is to come.
NEW = ("ninety", "hundred")
LIE, NEWER, PASSED = 0.1, 2.0, 2.0


def read(pair):
    """Traits of a statement and, if it is true, of lies made of it."""
    every = [(traits(pair["said"], pair["told"]), pair["true"], weight_of(pair))]
    if pair["true"] and pair["passed"]:
        made = lies(pair["said"], pair["told"], pair["said"] + pair["set"])
        every += [(traits(one, pair["told"]), False, LIE) for one in made]
    return [one for one in every if one[0] is not None]


def weight_of(pair):
    weight = NEWER if pair["set"].startswith(NEW) else 1.0
    return weight * PASSED if pair["passed"] and not pair["true"] else weight


def learned(read_pairs):
    counted, true, weights = (np.array(column) for column in zip(*read_pairs, strict=True))
    return HistGradientBoostingClassifier(
        max_iter=300, learning_rate=0.05, max_leaf_nodes=16, l2_regularization=2.0,
        min_samples_leaf=20, max_features=0.3, random_state=1,
    ).fit(counted.astype(float), true, sample_weight=weights)  # fmt: skip


def arrays_of(model):
    """Its trees as plain arrays; a leaf leads to itself."""
    columns = {name: [] for name in ("trait", "bound", "left", "right", "worth")}
    roots, start, depth = [], 0, 0
    for (tree,) in model._predictors:
        nodes = tree.nodes
        roots.append(start)
        here = start + np.arange(len(nodes))
        leaf = nodes["is_leaf"].astype(bool)
        columns["trait"].append(np.where(leaf, 0, nodes["feature_idx"]))
        columns["bound"].append(np.where(leaf, 0, nodes["num_threshold"]))
        columns["left"].append(np.where(leaf, here, start + nodes["left"]))
        columns["right"].append(np.where(leaf, here, start + nodes["right"]))
        columns["worth"].append(np.where(leaf, nodes["value"], 0))
        depth = max(depth, int(nodes["depth"].max()))
        start += len(nodes)
    joined = {name: np.concatenate(some) for name, some in columns.items()}
    return dict(
        trait=joined["trait"].astype(np.uint8), bound=joined["bound"].astype(np.float64),
        left=joined["left"].astype(np.uint16), right=joined["right"].astype(np.uint16),
        worth=joined["worth"].astype(np.float32), roots=np.array(roots, np.uint16),
        begins=np.float64(model._baseline_prediction.item()), depth=np.uint8(depth),
    )  # fmt: skip


def measured(model, pairs):
    """Of held-out statements that the rules let through: how many false ones score below all but
    some of the true."""
    scored = [
        (model.decision_function([counted])[0], pair["true"])
        for pair in pairs
        if pair["passed"] and (counted := traits(pair["said"], pair["told"])) is not None
    ]
    true, false = (np.array([s for s, t in scored if t is kind]) for kind in (True, False))
    print(len(true), "true,", len(false), "false; in order:", np.mean(true[:, None] > false).round(3))
    for share in (0.02, 0.05, 0.1, 0.2):
        bound = np.quantile(true, share)
        print(f"  true lost {share}: false caught {np.mean(false < bound):.3f} ({bound:.2f})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--held", default="")
    asked = parser.parse_args()
    apart = set(asked.held.split(","))
    every = json.loads(asked.pairs.read_text())
    every = [one for one in every if not any(word in one["kind"] for word in APART)]
    with ProcessPoolExecutor() as pool:
        kept = [one for one in every if one["set"] not in apart]
        model = learned([one for some in pool.map(read, kept, chunksize=200) for one in some])
    if held := [one for one in every if one["set"] in apart]:
        measured(model, held)
    np.savez_compressed(asked.out, **arrays_of(model))


if __name__ == "__main__":
    main()
