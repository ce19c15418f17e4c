import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { chromium, type Page } from "playwright-core";
import { browserPath } from "#test/kit/browser.ts";
import { runProgram, type Scope, start } from "#test/kit/program.ts";
import { startGuarded } from "#test/kit/sign-in.ts";

/**
 * Counts what a person does from an empty machine to the first call of a client that was given the URL alone: commands,
 * pastes and clicks in a real browser, and the time of the machine in between. A person's own time comes on top.
 *
 * `node build/bundle.mjs && node build/run.mjs test/bench/first-connection.ts`
 */
const ends: (() => unknown)[] = [];
const scope: Scope = { after: (end) => void ends.push(end) };
const counted = { commands: 0, pastes: 0, clicks: 0 };
const began = performance.now();
const steps: string[] = [];
const step = (what: string) => steps.push(`${((performance.now() - began) / 1000).toFixed(1)} s  ${what}`);

async function command(...argv: string[]): Promise<string> {
  counted.commands++;
  const { code, out, err } = await runProgram(scope, argv, env);
  assert.equal(code, 0, err);
  step(`proxy ${argv.join(" ")}`);
  return out;
}

async function click(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  counted.clicks++;
  step(`click "${name}"`);
}

const home = mkdtempSync(join(tmpdir(), "proxy-first-"));
scope.after(() => rmSync(home, { recursive: true, force: true }));
const env = { HOME: home };
try {
  const executablePath = browserPath() ?? assert.fail("needs chromium");
  const guarded = await startGuarded();
  scope.after(() => guarded.kill());

  const data = join(home, ".proxy");
  mkdirSync(data, { mode: 0o700 });
  const config = { listen: "127.0.0.1:0", auth: { oauth: { enabled: true } }, ...guarded.config };
  writeFileSync(join(data, "mcp_config.json"), JSON.stringify(config), { mode: 0o600 });
  counted.pastes++;
  step("paste the setting auth.oauth.enabled into the configuration file");
  counted.commands++;
  const daemon = start(scope, ["serve", "--data-dir", data], env);
  scope.after(async () => {
    daemon.child.kill("SIGTERM");
    await daemon.ended;
  });
  const [, url = ""] = await daemon.says(/MCP endpoint\s+(http:\S+)\/mcp\n/);
  step("proxy serve");
  await command("upstream", "add", "guarded", guarded.url, "--data-dir", data);

  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  scope.after(() => browser.close());
  const context = await browser.newContext();
  let code: string | undefined;
  const kept: Record<string, unknown> = {};
  const provider = {
    redirectUrl: `${url}/ui/callback`,
    clientMetadata: { client_name: "First Client", redirect_uris: [`${url}/ui/callback`] },
    clientInformation: () => kept.client as never,
    saveClientInformation: (value: unknown) => void Object.assign(kept, { client: value }),
    tokens: () => kept.tokens as never,
    saveTokens: (value: unknown) => void Object.assign(kept, { tokens: value }),
    saveCodeVerifier: (value: string) => void Object.assign(kept, { verifier: value }),
    codeVerifier: () => kept.verifier as string,
    async redirectToAuthorization(to: URL) {
      code = await inBrowser(to.href);
    },
  };

  /** What the person does in the browser that the client opened. */
  async function inBrowser(to: string): Promise<string> {
    const link = (await command("ui", "--no-open", "--data-dir", data)).trim();
    const page = await context.newPage();
    await page.goto(link);
    await page.locator(".side").waitFor({ state: "attached" });
    counted.pastes++;
    step("open the link of proxy ui, which signs in to the panel");
    await page.goto(to);
    await click(page, "Allow");
    const opened = context.waitForEvent("page");
    await click(page, "Sign in at guarded");
    await (await opened).getByRole("heading", { name: "Signed in" }).waitFor();
    await page.getByText("All its servers are ready.").waitFor();
    await click(page, "Continue to First Client");
    await page.waitForURL(/\/ui\/callback\?/);
    return new URL(page.url()).searchParams.get("code") ?? assert.fail(page.url());
  }

  counted.pastes++;
  step("paste the URL into the client");
  const connect = () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/all`), { authProvider: provider });
    const client = new Client({ name: "first", version: "1" });
    scope.after(() => client.close());
    return { transport, client, connected: client.connect(transport as Parameters<Client["connect"]>[0]) };
  };
  const first = connect();
  await assert.rejects(first.connected, UnauthorizedError);
  await first.transport.finishAuth(code!);
  await command("upstream", "unquarantine", "guarded", "--yes", "--data-dir", data);
  const { client, connected } = connect();
  await connected;
  const result = await client.callTool({ name: "guarded__read", arguments: {} });
  assert.match(JSON.stringify(result), /read/);
  step("the client calls the first tool");

  console.log(steps.join("\n"));
  const { commands, pastes, clicks } = counted;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`\n${commands} commands, ${pastes} pastes, ${clicks} clicks; the machine took ${seconds} s`);
} finally {
  for (const end of ends.reverse()) await end();
}
