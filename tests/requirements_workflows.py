"""What is promised of workflows."""

from __future__ import annotations

from collections.abc import Mapping

WORKFLOWS: Mapping[str, str] = {
    "workflows-stored-and-versioned": (
        "A run of a stored workflow begins with its published version and stays on it, whatever becomes of it."
    ),
    "workflows-of-others-unseen": "Nobody sees, runs, changes or resumes the private workflow of another.",
    "workflow-settings-by-level": (
        "Who answers when nothing fits, and the toggle, are chosen by user, tenant and system, and hold at once."
    ),
    "workflows-recursion-refused": (
        "Workflows that would run within themselves are refused when published, and bounded in any case."
    ),
}
