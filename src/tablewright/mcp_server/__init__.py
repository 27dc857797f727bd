"""The MCP server: three tools for other programs' models over the Model Context Protocol."""
