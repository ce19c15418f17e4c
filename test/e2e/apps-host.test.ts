import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { build } from "esbuild";
import { type Panel, panelTest } from "#test/kit/browser.ts";
import { ready } from "#test/kit/mcp.ts";
import { folder } from "#test/kit/program.ts";
import { until } from "#test/kit/until.ts";

/** A script for a page, with the packages that it imports. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    logLevel: "error",
  });
  return outputFiles[0]!.text.replaceAll("</script", "<\\/script");
}

const html = (body: string, script: string) =>
  `<!doctype html><meta charset="utf-8"><title>t</title>${body}<script type="module">${script}</script>`;

/** The app: shows the result of its tool, and calls the tool that is only for it. */
const APP = `
  import { App } from "@modelcontextprotocol/ext-apps";
  const show = (id, { content }) => (document.getElementById(id).textContent = content[0].text);
  const app = new App({ name: "board", version: "1" });
  app.ontoolinput = ({ arguments: { column } }) => (document.getElementById("input").textContent = column);
  app.ontoolresult = (result) => show("result", result);
  document.querySelector("button").onclick = async () =>
    show("moved", await app.callServerTool({ name: "move_card", arguments: { to: "done" } }));
  await app.connect();
`;
const APP_BODY = '<p id="input"></p><p id="result"></p><button>Move</button><p id="moved"></p>';

/** The host: an official client of the proxy, and the official bridge to the app in a sandboxed frame. */
const HOST = `
  import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
  import { AppBridge, getToolUiResourceUri, isToolVisibilityAppOnly, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
  window.show = async ({ version, path }) => {
    const capabilities = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
    const versionNegotiation = version === "2026-07-28" ? { mode: { pin: version } } : undefined;
    const client = new Client({ name: "host", version: "1" }, { capabilities, ...(versionNegotiation && { versionNegotiation }) });
    await client.connect(new StreamableHTTPClientTransport(new URL(path, location.href)));
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === "board__show_board");
    const uri = getToolUiResourceUri(tool);
    const { contents: [page] } = await client.readResource({ uri });
    const call = { name: tool.name, arguments: { column: "todo" } };
    const result = await client.callTool(call);
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    document.body.append(frame);
    const bridge = new AppBridge(client, { name: "host", version: "1" }, { serverTools: {} });
    const initialized = new Promise((done) => (bridge.oninitialized = done));
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    frame.srcdoc = page.text;
    await initialized;
    await bridge.sendToolInput({ arguments: call.arguments });
    await bridge.sendToolResult(result);
    return {
      version: client.getNegotiatedProtocolVersion(),
      uri,
      mimeType: page.mimeType,
      onlyForApps: tools.filter(isToolVisibilityAppOnly).map(({ name }) => name),
    };
  };
`;

/** The page of an app, written once. */
const page = join(folder({ after }), "page.html");
const servers = [
  {
    name: "board",
    command: process.execPath,
    args: ["test/programs/upstream-app.mjs", page],
    trust_mode: "auto" as const,
  },
];

async function openHost({ page: tab, url, app }: Panel): Promise<void> {
  writeFileSync(page, html(APP_BODY, await bundled(APP)));
  await ready(app, "board");
  await until("the page is listed", () => app.catalog.items.get("resource", "board", "ui://board/main") !== undefined);
  const body = html("", await bundled(HOST));
  await tab.route(`${url}/host`, (route) => route.fulfill({ contentType: "text/html", body }));
  await tab.goto(`${url}/host`);
}

for (const version of ["2025-11-25", "2026-07-28"])
  for (const path of ["/mcp/all", "/mcp/call"])
    panelTest(
      `an app of a server runs in a host of MCP Apps and calls its own tool: ${version}, ${path}`,
      { servers, connect: true, signedIn: false, config: { expose: ["board:show_board"] } },
      async (panel) => {
        await openHost(panel);

        const shown = await panel.page.evaluate(`show(${JSON.stringify({ version, path })})`);
        const frame = panel.page.frameLocator("iframe");
        await frame.getByText("board with todo").waitFor();
        await frame.getByRole("button", { name: "Move" }).click();
        await frame.getByText("moved to done").waitFor();

        assert.deepEqual(shown, {
          version,
          uri: "ui://via.board/board/main",
          mimeType: "text/html;profile=mcp-app",
          onlyForApps: ["board__move_card"],
        });
        assert.equal(await frame.locator("#input").textContent(), "todo");
      },
    );
