"""Execution of untrusted code. The layers above import only `sandbox.base`; bootstrap selects the backend."""
