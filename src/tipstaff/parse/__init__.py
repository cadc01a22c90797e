"""Files to documents: one module a format, each run in a worker process of its own.

Every parser keeps one promise: the text at a block's location *is* the block.
"""
