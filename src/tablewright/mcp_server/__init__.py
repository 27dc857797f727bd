"""The face for other programs' models: three tools over the Model Context Protocol."""
