"""Validation of definitions: every fault, each with its place."""

from tablewright.workflows.validate.whole import faults_of

__all__ = ["faults_of"]
