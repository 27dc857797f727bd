"""The user's workbook: edited without loss, read for models. Pure: a path in, a path and what changed out."""
