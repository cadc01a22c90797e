"""How good the answers of a tez are: the five `tezit-eval` metrics (Enterprise §8)."""
