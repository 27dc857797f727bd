"""What the OpenAPI document contains about the workbook rounds besides their types."""

from __future__ import annotations

from typing import Any

EXAMPLE_PLAN: dict[str, Any] = {
    "success": True,
    "message": "Execute these 2 steps?",
    "requestId": "0193a3a4-6f3e-7c51-9a7a-3f1d8e1c2b40",
    "isContinuation": False,
    "totalRounds": 1,
    "executionPlan": [
        {
            "step": 1,
            "function": "create_chart",
            "parameters": {"type": "bar", "data_range": "A1:B9"},
            "description": "Create a sales chart",
        },
        {
            "step": 2,
            "function": "highlight_cells",
            "parameters": {"column": "Sales", "top": 3, "color": "yellow"},
            "description": "Highlight the top 3 products",
        },
    ],
    "multiRoundResult": {
        "continueNeeded": True,
        "completed": False,
        "requiresUpdatedData": False,
        "dataScope": "sheet",
    },
    "channelId": "sales-2026",
    "workbookId": "0193a3a4-6f3e-7c51-9a7a-3f1d8e1c2b3f",
    "version": 1,
}
ROUND_STREAM: dict[str, Any] = {
    "description": "The response; or server-sent events `START`, `NODE_START`, `PROCESSING`, `MESSAGE_THINK`*, "
    "`RESULT` (whose data is the response), `NODE_END`, `COMPLETE`. The data of the others is `{event, tool, action, "
    "param, messageId, isSubFlow?}`.",
    "content": {
        "application/json": {"example": EXAMPLE_PLAN},
        "text/event-stream": {
            "schema": {
                "type": "object",
                "properties": {"event": {"type": "string"}, "data": {"type": "string"}},
                "required": ["event", "data"],
            }
        },
    },
}
