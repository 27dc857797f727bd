"""How a command reaches the service: within its own process, or over HTTP."""
