"""The `tip` command: answers on stdout, everything else on stderr, typed exit codes."""
