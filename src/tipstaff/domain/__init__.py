"""The nouns of TIP as frozen values: no input, no output, no clock.

Every other package speaks in these; they import nothing of the project but each other.
"""
