"""The composition root: settings become an application; the only package that names concrete adapters."""
