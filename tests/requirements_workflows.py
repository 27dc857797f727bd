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
    "workflow-from-conversation": (
        "What was done in a conversation becomes a workflow that does it again on another file of the same form."
    ),
    "schedules-fire-once": "A time of a schedule fires once, and begins one run, whichever servers look and die.",
    "schedules-missed-times": (
        "Of the times that were missed the last fires once, if it is within the window; clocks go forward and back."
    ),
    "schedules-webhook-signed": "A webhook can tell that a result is ours and whole.",
    "schedules-webhook-once": "A result is delivered under one id by one server, and tried again after an error.",
    "schedules-of-others-unseen": "Nobody sees, stops or changes the schedule of another.",
    "workflow-withdrawn": "A withdrawn workflow is started no more, and runs of it go on.",
    "workflow-chat-wire": "A chat with workflows has the frames, the states and the words of its wire.",
    "workflow-chat-strangers": "Nobody speaks in, or cancels, another's conversation, and no tenant sees another's.",
    "workflow-histories": (
        "However a workflow is answered and killed, it comes to the same, each effect once per attempt."
    ),
    "workflow-chat-anywhere": "A conversation that waits goes on from any server of its database, also after a kill.",
}
