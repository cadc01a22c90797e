"""The compliance suites: any TIP server, judged over the wire (docs/decisions/0021)."""
