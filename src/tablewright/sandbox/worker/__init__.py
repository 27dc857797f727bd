"""What runs inside a sandbox: standard library and IPython only."""
