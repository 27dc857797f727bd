"""The main backend: an Office Open XML package whose parts are changed in place, byte by byte where they are large."""
