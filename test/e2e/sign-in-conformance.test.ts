import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";

/** The official suite's scenarios of how a client signs in; the proxy is that client. */
const SCENARIOS = [
  "metadata-default",
  "metadata-var1",
  "metadata-var2",
  "metadata-var3",
  "scope-from-www-authenticate",
  "scope-from-scopes-supported",
  "scope-omitted-when-undefined",
  "scope-step-up",
  "scope-retry-limit",
  "token-endpoint-auth-basic",
  "token-endpoint-auth-post",
  "token-endpoint-auth-none",
  "pre-registration",
  "2025-03-26-oauth-metadata-backcompat",
  "2025-03-26-oauth-endpoint-fallback",
  "resource-mismatch",
  "offline-access-scope",
  "offline-access-not-supported",
] as const;

const dir = mkdtempSync(join(tmpdir(), "proxy-"));
let app: TestApp;
let daemon: Awaited<ReturnType<typeof listenTest>>;
before(async () => {
  // The suite's identity provider is another program of this machine than its MCP server.
  app = await testApp({ config: { outbound_allow: ["localhost", "127.0.0.1"] } });
  daemon = await listenTest(app);
  // The suite imports a function that Node 20 has not, though it needs it for no scenario; bundled it starts all the same.
  await build({
    entryPoints: [resolve("node_modules/@modelcontextprotocol/conformance/dist/index.js")],
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
    outfile: join(dir, "conformance.cjs"),
  });
});
after(async () => {
  await daemon.close();
  await app.close();
  rmSync(dir, { recursive: true, force: true });
});

for (const scenario of SCENARIOS)
  test(`the proxy signs in as the official conformance scenario ${scenario} asks`, async () => {
    const client = `${process.execPath} test/programs/conformance-sign-in.mjs ${daemon.url} ${daemon.key}`;
    const argv = ["client", "--command", client, "--scenario", `auth/${scenario}`, "-o", join(dir, scenario)];
    const said = await new Promise<string>((done) =>
      execFile(process.execPath, [join(dir, "conformance.cjs"), ...argv], { timeout: 180_000 }, (_, out, err) =>
        done(out + err),
      ),
    );
    const checks = readdirSync(join(dir, scenario), { recursive: true })
      .map(String)
      .filter((file) => file.endsWith("checks.json"))
      .flatMap((file): { id: string; status: string; errorMessage?: string }[] =>
        JSON.parse(readFileSync(join(dir, scenario, file), "utf8")),
      );
    const wrong = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    assert.deepEqual(
      wrong.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
      [],
      said.slice(-2000),
    );
    assert.ok(
      checks.some(({ status }) => status === "SUCCESS"),
      `nothing was found right: ${said.slice(-2000)}`,
    );
  });
