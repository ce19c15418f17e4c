import assert from "node:assert/strict";
import { test } from "node:test";
import { type Launch, launchOf } from "#lib/modules/packages/launch.ts";

test("what a server starts is read from its command line", () => {
  const hex = "a".repeat(64);
  const rows: [string, Partial<Launch>][] = [
    ["npx -y @scope/server@1.2.3 --flag", { source: "npm", name: "@scope/server", version: "1.2.3", pinned: true }],
    ["npx @scope/server", { source: "npm", name: "@scope/server", pinned: false }],
    ["npx -y server@latest", { source: "npm", name: "server", version: "latest", pinned: false }],
    ["npx -y server@^1.0.0", { source: "npm", name: "server", version: "^1.0.0", pinned: false }],
    ["npx --package=server@2.0.0 bin", { source: "npm", name: "server", version: "2.0.0", pinned: true }],
    ["npx -p server@2.0.0 -c run", { source: "npm", name: "server", version: "2.0.0", pinned: true }],
    ["npm exec -- server@1.0.0", { source: "npm", name: "server", version: "1.0.0", pinned: true }],
    ["pnpm dlx server", { source: "npm", name: "server", pinned: false }],
    ["pnpm start", { source: "program", name: "pnpm" }],
    ["/usr/local/bin/npx.cmd server", { source: "npm", name: "server" }],
    ["cmd /c npx server", { source: "npm", name: "server" }],
    ["bunx server", { source: "npm", name: "server" }],
    ["uvx mcp-server-git==2.1.0", { source: "pypi", name: "mcp-server-git", version: "2.1.0", pinned: true }],
    ["uvx mcp_server_git@2.1.0", { source: "pypi", name: "mcp-server-git", version: "2.1.0", pinned: true }],
    ["uvx --from mcp[cli]>=1.0 mcp", { source: "pypi", name: "mcp", version: ">=1.0", pinned: false }],
    ["uv tool run thing", { source: "pypi", name: "thing", pinned: false }],
    ["uv run server.py", { source: "pypi", name: "server.py" }],
    ["pipx run thing==1.0", { source: "pypi", name: "thing", version: "1.0", pinned: true }],
    [
      "docker run -i --rm -e KEY ghcr.io/a/b:1.0",
      { source: "image", name: "ghcr.io/a/b", version: "1.0", pinned: false },
    ],
    [`docker run -i a/b@sha256:${hex}`, { source: "image", name: "a/b", digest: `sha256:${hex}`, pinned: true }],
    [
      "docker run --mount type=bind,src=/a,dst=/b localhost:5000/x serve",
      { source: "image", name: "localhost:5000/x" },
    ],
    ["node /opt/server/index.js --x", { source: "program", name: "/opt/server/index.js" }],
    ["python3 -m server", { source: "program" }],
    ["/opt/bin/server", { source: "program", name: "/opt/bin/server" }],
  ];
  for (const [line, wanted] of rows) {
    const [command, ...args] = line.split(" ");
    assert.deepEqual({ ...launchOf({ command, args }), ...wanted }, launchOf({ command, args }), line);
  }
  assert.deepEqual(launchOf({ url: "https://x.invalid/mcp" }), {
    source: "remote",
    name: "https://x.invalid/mcp",
    pinned: false,
  });
});
