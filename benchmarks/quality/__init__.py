"""`make bench-quality`: how often the right passage is found, by query sets in plain JSONL."""
