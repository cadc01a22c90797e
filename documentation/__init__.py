"""What the documentation site is made with: pages read off the code, pictures, hooks."""
