"""The TIP suite: tests 1–11 of TIP §11, the codeword probe, and a bundle's own queries."""
