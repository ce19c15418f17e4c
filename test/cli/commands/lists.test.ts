import assert from "node:assert/strict";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenTest, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";

const app = await testApp({
  connect: false,
  servers: [
    { name: "git", command: "true" },
    { name: "db", command: "true", enabled: false },
    { name: "web", url: "https://web.invalid/mcp", enabled: false },
  ],
  tools: {
    "git:log": { status: "approved", description: "shows the log" },
    "git:push": { status: "pending" },
    "db:query": { status: "approved" },
  },
});
const daemon = await listenTest(app);
after(async () => {
  await daemon.close();
  await app.close();
});

const proxy = (...argv: string[]) =>
  cli(argv, commands, { env: { SERVICE_URL: daemon.url, SERVICE_API_KEY: daemon.key } });
const names = async (...argv: string[]) =>
  JSON.parse((await proxy(...argv, "--json")).out).map((row: { name: string }) => row.name);

test("lists of servers and tools take the filters, the order and the limit of the API", async () => {
  assert.deepEqual(await names("upstream", "list", "--state", "disabled", "--sort", "-name"), ["web", "db"]);
  assert.deepEqual(await names("upstream", "list", "--match", "invalid"), ["web"]);
  assert.deepEqual(await names("upstream", "list", "--sort", "-tool_count", "-n", "1"), ["git"]);
  assert.match((await proxy("upstream", "list", "-n", "1")).err, /^2 more; show them with a higher --limit/m);
  assert.match((await proxy("upstream", "list", "--match", "nothing")).out, /no matching servers/);
  assert.match((await proxy("upstream", "list", "--sort", "nme")).err, /sort: .*did you mean "name"/);

  assert.deepEqual(await names("tools", "list", "--sort", "name"), ["log", "push", "query"]);
  assert.deepEqual(await names("tools", "list", "--match", "log"), ["log"]);
  assert.deepEqual(await names("tools", "list", "-s", "git", "--approval", "pending_approval"), ["push"]);
  assert.deepEqual(await names("tools", "list", "--no-enabled"), []);
  assert.deepEqual(await names("tools", "list", "--sort", "-name", "-n", "1"), ["query"]);
  assert.match((await proxy("tools", "list", "-n", "1")).err, /^2 more/m);
  assert.equal((await proxy("sessions", "list", "--sort", "-start_time")).code, 0);
});
