"""Citations in text: finding them, naming what they cite, and the interface that resolves them."""
