"""Documents to chunks that retrieval ranks, and to units that can be evidence (TIP §10.1).

A cut falls where the format has a boundary; every piece maps back to exact ranges.
"""
