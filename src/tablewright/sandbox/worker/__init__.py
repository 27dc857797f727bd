"""The program that runs inside a sandbox; it uses only the standard library and IPython."""
