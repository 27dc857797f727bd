"""How a command reaches the service: in this process, or over HTTP."""
