"""Many organisations on one service, measured: `make bench-enterprise`."""
