"""Suites that every plug-in of a kind must pass; authors of plug-ins run them in their tests."""
