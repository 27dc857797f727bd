"""Sandbox sessions of conversations."""
