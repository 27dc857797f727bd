"""Reads questions that prescribe the form of their answer, and the conditions of instructions."""
