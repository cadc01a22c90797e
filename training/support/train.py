"""train.py PAIRS OUT [--held SET,SET] [--start STATE] [--once SET,SET]: three epochs from the reader's
weights, or from a state: then the drafts, and what else is to be read once, are dealt to the epochs, and
other deeds are read in each. `--on` goes on with the model that is shipped: every pair is read in each epoch,
nothing is held to be certain, and the weights are the mean of the shipped ones and the new, as `--share` says."""

import argparse
import json
import random
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import nn

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))
from tipstaff.read.entailment import as_pieces

HIDDEN, HEADS, LAYERS = 384, 12, 6
EPOCHS, BATCH, WARM_UP = 3, 16, 0.06
RATE, AGAIN, ON = 1.5e-4, 1e-4, 7e-5
# With `--on`: what is true counts as 0.99, what is false as 0.01.
CERTAIN = 0.98


def weights_of(name):
    """A shipped model's weights as they were before they were made int8, or nearly."""
    graph = onnx.load(ROOT / f"src/tipstaff/models/{name}.int8.onnx").graph
    found = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    weights = dict(found)
    for name in found:
        if name.endswith("_quantized"):
            plain = name.removesuffix("_quantized")
            zero = np.asarray(found[f"{plain}_zero_point"], np.float32)
            weights[plain] = (found[name].astype(np.float32) - zero) * found[f"{plain}_scale"]
    weights["emb"] = found["emb_q"].astype(np.float32) * found["emb_s"]
    return weights


def shipped():
    """The model of support that is shipped."""
    weights = weights_of("support")
    for at in range(LAYERS):
        for one in ("1", "2"):
            for end in ("_g", "_b"):
                weights[f"l{at}.ln{one}{end}"] = weights[f"l{one}.{at}{end}"]
    model = Support(weights)
    model.seg.data = torch.tensor(np.array(weights["seg"], np.float32))
    for at in (0, 3):
        model.head[at].weight.data = torch.tensor(np.array(weights[f"head{at}_w"], np.float32)).T.contiguous()
        model.head[at].bias.data = torch.tensor(np.array(weights[f"head{at}_bias"], np.float32))
    return model


class Support(nn.Module):
    """The reader's encoder; a head over its first piece and the mean of the statement's."""

    def __init__(self, weights):
        super().__init__()

        def tensor(name):
            return torch.tensor(np.array(weights[name], np.float32))

        def norm(name):
            made = nn.LayerNorm(HIDDEN, eps=1e-12)
            made.weight.data, made.bias.data = tensor(f"{name}_g"), tensor(f"{name}_b")
            return made

        def linear(name):
            matrix = tensor(f"{name}_w").T.contiguous()
            made = nn.Linear(matrix.shape[1], matrix.shape[0])
            made.weight.data, made.bias.data = matrix, tensor(f"{name}_bias")
            return made

        def layers(make, name):
            return nn.ModuleList(make(f"l{at}{name}") for at in range(LAYERS))

        self.word = nn.Embedding.from_pretrained(tensor("emb"), freeze=True)
        self.pos = nn.Parameter(tensor("pos"))
        self.seg = nn.Parameter(torch.zeros(2, HIDDEN))
        self.ln0 = norm("ln0")
        self.qkv, self.o = layers(linear, "qkv"), layers(linear, "o")
        self.f1, self.f2 = layers(linear, "f1"), layers(linear, "f2")
        self.l1, self.l2 = layers(norm, ".ln1"), layers(norm, ".ln2")
        self.drop = nn.Dropout(0.1)
        self.head = nn.Sequential(
            nn.Linear(2 * HIDDEN, HIDDEN), nn.GELU(), nn.Dropout(0.1), nn.Linear(HIDDEN, 1)
        )

    def forward(self, ids, seen, part):
        count, length = ids.shape
        x = self.drop(self.ln0(self.word(ids) + self.pos[:length] + self.seg[part]))
        unseen = (seen == 0)[:, None, None, :]
        mask = torch.zeros(unseen.shape).masked_fill(unseen, -1e4)

        def by_heads(some):
            return some.view(count, length, HEADS, -1).transpose(1, 2)

        for at in range(LAYERS):
            q, k, v = (by_heads(one) for one in self.qkv[at](x).split(HIDDEN, -1))
            # The scale is in q's weights.
            c = F.scaled_dot_product_attention(q, k, v, attn_mask=mask.to(q.dtype), scale=1.0)
            c = c.transpose(1, 2).reshape(count, length, HIDDEN)
            x = self.l1[at](self.drop(self.o[at](c)) + x)
            x = self.l2[at](self.drop(self.f2[at](F.gelu(self.f1[at](x)))) + x)
        own = ((part == 0) & (seen == 1)).unsqueeze(-1).to(x.dtype)
        mean = (x * own).sum(1) / own.sum(1)
        return self.head(torch.cat([x[:, 0], mean], -1)).squeeze(-1)


def batches(pairs, shuffled=True):
    """Of pairs of about one length."""
    pairs, found = list(pairs), []
    if shuffled:
        random.shuffle(pairs)
    run = BATCH * 20 if shuffled else len(pairs)
    for at in range(0, len(pairs), max(run, 1)):
        some = sorted(pairs[at : at + run], key=lambda pair: len(pair["pieces"][0]))
        found += [some[one : one + BATCH] for one in range(0, len(some), BATCH)]
    if shuffled:
        random.shuffle(found)
    return found


def by_epoch(pairs, once, number, epochs):
    dealt = [pair for pair in pairs if pair["kind"] != "deed" or pair["set"] in once]
    random.Random(0).shuffle(dealt)
    kept = [pair for pair in pairs if pair["kind"] == "deed" and pair["set"] not in once]
    return kept + dealt[number::epochs]


def collated(batch):
    length = max(len(pair["pieces"][0]) for pair in batch)
    ids = torch.zeros(len(batch), length, dtype=torch.long)
    seen, part = torch.zeros_like(ids), torch.ones_like(ids)
    for at, pair in enumerate(batch):
        pieces, parts = pair["pieces"]
        ids[at, : len(pieces)], part[at, : len(pieces)] = torch.tensor(pieces), torch.tensor(parts)
        seen[at, : len(pieces)] = 1
    return ids, seen, part, torch.tensor([float(pair["true"]) for pair in batch])


def measured(model, held):
    """Of held-out pairs: how many false ones score below all but some of the true."""
    model.eval()
    with torch.no_grad():
        for batch in batches(held, shuffled=False):
            ids, seen, part, _ = collated(batch)
            for pair, score in zip(batch, model(ids, seen, part).tolist(), strict=True):
                pair["score"] = score
    model.train()
    for name in sorted({pair["set"] for pair in held}):
        true, passed, false = (
            np.array([pair["score"] for pair in held if pair["set"] == name and chosen(pair)])
            for chosen in (
                lambda pair: pair["true"],
                lambda pair: pair["true"] and pair["passed"],
                lambda pair: not pair["true"],
            )
        )
        print(name, f"true above false {np.mean(true[:, None] > false):.3f}", flush=True)
        for share in (0.02, 0.05, 0.1, 0.5):
            bound = np.quantile(passed, share)
            print(f"  true lost {share}: false caught {np.mean(false < bound):.3f} ({bound:.2f})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--held", default="")
    parser.add_argument("--start", type=Path)
    parser.add_argument("--once", default="")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--on", action="store_true")
    parser.add_argument("--share", type=float, default=1.0)
    asked = parser.parse_args()
    random.seed(0)
    torch.manual_seed(0)
    every = json.loads(asked.pairs.read_text())
    apart, once = set(asked.held.split(",")), set(asked.once.split(","))
    held = [pair for pair in every if pair["set"] in apart]
    pairs = [pair for pair in every if pair["set"] not in apart]
    for pair in (*pairs, *held):
        pair["pieces"] = as_pieces(pair["said"], pair["told"])
    model = shipped() if asked.on else Support(weights_of("reader"))
    before = {name: one.clone() for name, one in model.state_dict().items()}
    if asked.start:
        model.load_state_dict(torch.load(asked.start), strict=False)
    epochs = [by_epoch(pairs, once, at, asked.epochs) if asked.start else pairs for at in range(asked.epochs)]
    learned = [one for one in model.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=RATE, weight_decay=0.01)
    steps, step = sum(map(len, epochs)) // BATCH, 0
    for read in epochs:
        for batch in batches(read):
            step += 1
            rate = (
                (ON if asked.on else AGAIN if asked.start else RATE)
                * min(1, step / (WARM_UP * steps))
                * max(0.02, 1 - step / steps)
            )
            for group in optimiser.param_groups:
                group["lr"] = rate
            ids, seen, part, true = collated(batch)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = model(ids, seen, part)
            if asked.on:
                true = true * CERTAIN + (1 - CERTAIN) / 2
            loss = F.binary_cross_entropy_with_logits(logits.float(), true)
            loss.backward()
            nn.utils.clip_grad_norm_(learned, 1.0)
            optimiser.step()
            optimiser.zero_grad()
            if step % 100 == 0:
                print(step, "of", steps, round(loss.item(), 3), flush=True)
        if held:
            measured(model, held)
        after = model.state_dict()
        mean = {name: torch.lerp(before[name], after[name], asked.share) for name in after}
        torch.save(mean if asked.on else after, asked.out)


if __name__ == "__main__":
    main()
