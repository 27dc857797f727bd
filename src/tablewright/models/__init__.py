"""Access to language models. The layers above import only `models.base` and the pure modules."""
