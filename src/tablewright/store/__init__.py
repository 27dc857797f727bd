"""Persistence of everything that is kept. The layers above import only `store.base`."""
