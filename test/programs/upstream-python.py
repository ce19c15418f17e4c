"""A server of the official Python SDK over standard streams, whichever major version is installed."""

try:
    from mcp.server.mcpserver import MCPServer as Server
except ImportError:
    from mcp.server.fastmcp import FastMCP as Server

app = Server("python")


@app.tool()
def hi() -> str:
    return "hi"


app.run("stdio")
