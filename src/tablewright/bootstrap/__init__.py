"""The composition root: builds the application from the settings. The only package that names concrete adapters."""
