import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import type { ConnectionStatus } from "#lib/core/schema/connection-status.ts";
import { listenTest, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { withStates } from "#test/kit/states.ts";
import { verifies } from "#test/kit/verifies.ts";

const states: Record<string, Partial<ConnectionStatus>> = { git: {}, slow: { state: "Connecting" } };
const app = await testApp({
  connect: false,
  config: { profiles: [{ name: "work", servers: ["slow"] }] },
  servers: [
    { name: "git", command: "x" },
    { name: "slow", command: "x" },
  ],
  tools: { "git:log": { annotations: { readOnlyHint: true } }, "git:new": "pending", "slow:tool": "approved" },
});
const daemon = await listenTest(withStates(app, states));
after(async () => {
  await daemon.close();
  await app.close();
});

const env = { SERVICE_URL: `http://${app.boot.listenAddr}`, SERVICE_API_KEY: daemon.key };
const preflight = (...argv: string[]) => cli(["tools", "preflight", ...argv], commands, { env });

verifies("rest.preflight.worst", "the exit code is the worst verdict's: 0, 10, 11 or 12", async () => {
  const pin = `sha256/v2:${"0".repeat(64)}`;
  const rows: [string[], number][] = [
    [["git:log"], 0],
    [["git:log", "slow:tool"], 10],
    [["slow:tool", "git:new"], 11],
    [["git:new", "git:nothing"], 12],
    [["git:log", "--profile", "work"], 11],
    [["git:log", "--pin", `git:log=${app.catalog.get("git:log")!.hash}`], 0],
    [["git:log", "--pin", `git:log=${pin}`], 11],
    [["git:log", "--read-only-only"], 0],
    [["git:log", "--exclude-destructive"], 11],
    [["git:log", "--read-only-only", "--exclude-open-world"], 11],
    [["slow:tool", "--wait", "100ms"], 10],
  ];
  for (const [argv, code] of rows) assert.equal((await preflight(...argv)).code, code, argv.join(" "));
});

verifies(
  "rest.version.reasons",
  "what a newer proxy says beyond this version's words is not worth waiting for",
  async (t) => {
    const tools = [{ id: "git:log", status: "unavailable", reason: "moon_phase", detail: "waning" }];
    const newer = createServer((_, res) =>
      res.end(JSON.stringify({ success: true, data: { verdict: "inauspicious", checked_at: "", tools } })),
    );
    await new Promise<void>((done) => void newer.listen(0, "127.0.0.1", done));
    t.after(() => newer.close());
    const url = `http://127.0.0.1:${(newer.address() as AddressInfo).port}`;

    const { code, out } = await cli(["tools", "preflight", "git:log", "--url", url], commands);

    assert.equal(code, 11);
    assert.match(out, /git:log +moon_phase +waning/);
  },
);

test("each tool is shown with its verdict and what to do next", async () => {
  const { out, err } = await preflight("git:log", "git:new", "git:lok");

  assert.match(out, /^TOOL +VERDICT +DETAIL +DO NEXT\ngit:log +ready +sha256\/v2:/);
  assert.match(out, /\ngit:new +tool_pending_approval .* proxy tools approve git:new\n/);
  assert.match(err, /^git:lok: did you mean git:log\?\n$/);
  const { verdict, tools } = JSON.parse((await preflight("git:new", "--json")).out);
  assert.deepEqual([verdict, tools[0].reason], ["blocked", "tool_pending_approval"]);
});

test("what cannot be asked exits 2 and says why", async () => {
  const rows: [string[], RegExp][] = [
    [[], /<tools> is missing/],
    [["git:log", "--pin", "git:log"], /--pin must have the form id=hash/],
    [["git:log", "--pin", "git:new=x"], /not one of the named tools/],
    [["git:log", "--wait", "soon"], /--wait must be a time such as 5s/],
    [["git:log", "--wait", "11s"], /wait_ms: must be a whole number from 0 to 10000/],
    [["git:log", "--profile", "play"], /unknown profile "play"/],
  ];
  for (const [argv, text] of rows) {
    const { code, err } = await preflight(...argv);
    assert.deepEqual([code, text.test(err)], [2, true], `${argv.join(" ")}: ${err}`);
  }
});
