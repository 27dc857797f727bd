"""Validation of definitions: every fault, each with its place."""

from tablewright.workflows.validate.names import Names
from tablewright.workflows.validate.whole import faults_of

__all__ = ["Names", "faults_of"]
