from tests.instances.conftest import mortal_valkey, valkey

__all__ = ["mortal_valkey", "valkey"]
