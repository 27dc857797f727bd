"""Turns relations of a plan into SQL that means exactly what the written pandas code does, or says what it cannot."""
