"""`make bench-retrieval`: our index beside other stores, on the same chunks and vectors."""
