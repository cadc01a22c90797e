"""export.py STATE OUT: the trained model as an ONNX graph, int8."""

import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reader"))
from build_onnx import int8

HIDDEN, HEADS, LAYERS, EPSILON = 384, 12, 6, 1e-12


class Graph:
    def __init__(self, state):
        self.state = {name: one.float().numpy() for name, one in state.items()}
        self.nodes, self.constants = [], []

    def const(self, name, value, kind=np.float32):
        self.constants.append(
            numpy_helper.from_array(np.ascontiguousarray(np.asarray(value, kind)), name)
        )
        return name

    def op(self, kind, inputs, outputs=1, name=None, **given):
        number = len(self.nodes)
        out = [name] if name else [f"t{number}_{at}" for at in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, out, name=f"n{number}_{kind}", **given))
        return out[0] if outputs == 1 else out

    def norm(self, x, name):
        scale = self.const(f"{name}_g", self.state[f"{name}.weight"])
        shift = self.const(f"{name}_b", self.state[f"{name}.bias"])
        return self.op("LayerNormalization", [x, scale, shift], axis=-1, epsilon=EPSILON)

    def linear(self, x, name, called):
        matrix = self.const(f"{called}_w", self.state[f"{name}.weight"].T)
        bias = self.const(f"{called}_bias", self.state[f"{name}.bias"])
        return self.op("Add", [self.op("MatMul", [x, matrix]), bias])

    def gelu(self, x):
        spread = self.op("Add", [self.op("Erf", [self.op("Div", [x, "root2"])]), "one_f"])
        return self.op("Mul", [self.op("Mul", [x, spread]), "half"])


def built(state):
    graph = Graph(state)
    op, const, whole = graph.op, graph.const, np.int64
    one, zero, two = (const(n, [v], whole) for n, v in (("one", 1), ("zero", 0), ("two", 2)))
    const("one_f", 1.0), const("half", 0.5), const("root2", np.sqrt(2.0))
    words = graph.state["word.weight"]
    scale = np.abs(words).max(1, keepdims=True) / 127 + 1e-12
    rows = const("emb_q", np.clip(np.rint(words / scale), -127, 127), np.int8)
    x = op("Cast", [op("Gather", [rows, "input_ids"])], to=TensorProto.FLOAT)
    x = op("Mul", [x, op("Gather", [const("emb_s", scale), "input_ids"])])
    length = op("Slice", [op("Shape", ["input_ids"]), one, two, zero])
    x = op("Add", [x, op("Slice", [const("pos", graph.state["pos"]), zero, length, zero])])
    x = op("Add", [x, op("Gather", [const("seg", graph.state["seg"]), "segment_ids"])])
    x = graph.norm(x, "ln0")
    seen = op("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    unseen = op("Mul", [op("Sub", ["one_f", seen]), const("far", -10000.0)])
    mask = op("Unsqueeze", [unseen, const("middle", [1, 2], whole)])
    split = const("split", [HIDDEN] * 3, whole)
    heads = const("heads", [0, 0, HEADS, HIDDEN // HEADS], whole)
    merged = const("merged", [0, 0, HIDDEN], whole)

    def by_heads(some, order):
        return op("Transpose", [op("Reshape", [some, heads])], perm=order)

    for at in range(LAYERS):
        qkv = graph.linear(x, f"qkv.{at}", f"l{at}qkv")
        q, k, v = op("Split", [qkv, split], 3, axis=-1)
        near = op("MatMul", [by_heads(q, [0, 2, 1, 3]), by_heads(k, [0, 2, 3, 1])])
        weight = op("Softmax", [op("Add", [near, mask])], axis=-1)
        c = op("Transpose", [op("MatMul", [weight, by_heads(v, [0, 2, 1, 3])])], perm=[0, 2, 1, 3])
        c = graph.linear(op("Reshape", [c, merged]), f"o.{at}", f"l{at}o")
        x = graph.norm(op("Add", [c, x]), f"l1.{at}")
        inner = graph.gelu(graph.linear(x, f"f1.{at}", f"l{at}f1"))
        x = graph.norm(op("Add", [graph.linear(inner, f"f2.{at}", f"l{at}f2"), x]), f"l2.{at}")
    first = op("Squeeze", [op("Slice", [x, zero, one, one]), one])
    other = op("Cast", ["segment_ids"], to=TensorProto.FLOAT)
    own = op("Mul", [op("Sub", ["one_f", other]), seen])
    total = op("ReduceSum", [op("Mul", [x, op("Unsqueeze", [own, two])]), one], keepdims=0)
    mean = op("Div", [total, op("ReduceSum", [own, one], keepdims=1)])
    inner = graph.gelu(graph.linear(op("Concat", [first, mean], axis=-1), "head.0", "head0"))
    op("Squeeze", [graph.linear(inner, "head.3", "head3"), one], name="supported_logit")
    value = helper.make_tensor_value_info
    inputs = ("input_ids", "attention_mask", "segment_ids")
    made = helper.make_graph(
        graph.nodes,
        "support",
        [value(name, TensorProto.INT64, ["batch", "length"]) for name in inputs],
        [value("supported_logit", TensorProto.FLOAT, ["batch"])],
        graph.constants,
    )
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(made, opset_imports=opset, producer_name="tipstaff")
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        plain = f"{folder}/support.onnx"
        onnx.save(built(torch.load(sys.argv[1], map_location="cpu")), plain)
        int8(plain, sys.argv[2], True, ("head0", "head3"))
