/** Links that open a client on the computer of the browser, where the client asks whether to add the proxy. */
export function installLinks(url: string): readonly { client: string; href: string }[] {
  const name = "mcpproxy";
  const vscode = encodeURIComponent(JSON.stringify({ name, type: "http", url }));
  return [
    {
      client: "Cursor",
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
    },
    { client: "VS Code", href: `vscode:mcp/install?${vscode}` },
    { client: "VS Code Insiders", href: `vscode-insiders:mcp/install?${vscode}` },
  ];
}
