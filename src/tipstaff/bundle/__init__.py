"""Bundles in and out: open any level, check every byte, pack, export, import.

Liberal in what is opened, strict in what is written; an oddity is a finding, not a refusal,
unless nothing could be interrogated or the bundle means harm.
"""
