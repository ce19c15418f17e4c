import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { folder } from "#test/kit/program.ts";
import { until } from "#test/kit/upstream.ts";
import { childOf, familyOf, gone, markedBy } from "./children.ts";
import { type Daemon, type Json, jsonOf, serve, textOf } from "./daemon.ts";
import { officialServer } from "./official.ts";

const UPSTREAM = "test/programs/upstream-stdio.mjs";

/** Everything is gone by then, however the proxy ended. (ms) */
const ORPHANS_MS = 5000;

/** Three servers, one of which has children and grandchildren that stop for nothing but a kill. */
const servers = (dir: string) => [
  { name: "everything", args: [officialServer("everything")] },
  { name: "memory", args: [officialServer("memory")], env: { MEMORY_FILE_PATH: join(dir, "memory.jsonl") } },
  {
    name: "tree",
    args: [resolve(UPSTREAM), "--name", "tree", "--tree", "3", "--ignore-sigterm"],
  },
];
const NAMES = ["everything", "memory", "tree"];

/** A daemon with those servers, released, and all the processes that run for them. */
async function populated(t: Parameters<typeof serve>[0]) {
  const daemon = await serve(t);
  const dir = folder(t);
  for (const server of servers(dir)) await daemon.rest("POST /servers", { command: process.execPath, ...server });
  for (const name of NAMES) {
    await daemon.listed(name);
    await daemon.rest(`POST /servers/${name}/unquarantine`);
  }
  const client = await daemon.client("/mcp/all");
  const stats = await client.callTool({ name: "tree__stats", arguments: {} });
  const { tree } = jsonOf(stats);
  const rows = await familyOf(...NAMES.map((name) => childOf(daemon, name)), ...tree);
  assert.ok(rows.length >= NAMES.length + tree.length && tree.length === 6);
  return { daemon, client, rows };
}

/** What a person decided and what happened, as the proxy tells it. */
async function known(daemon: Daemon) {
  const { servers } = await daemon.rest("GET /servers");
  const tools = await Promise.all(
    NAMES.map(async (name) => (await daemon.rest(`GET /servers/${name}/tools`)).tools as Json[]),
  );
  return {
    servers: servers.map(only("name", "command", "args", "env", "enabled", "quarantined", "call_tool_timeout")),
    tools: tools.flat().map(only("name", "server_name", "approval_status", "disabled", "hash")),
  };
}

const only =
  (...keys: string[]) =>
  (record: Json): Json =>
    Object.fromEntries(keys.map((key) => [key, record[key]]));

/** After the answer to the request that adds it, a server's process is being started, runs, or has children. (ms) */
const MOMENTS = [0, 5, 20, 150];

describe("a proxy that ends", { concurrency: true }, () => {
  test("kill -9 of the proxy loses nothing that was answered and leaves no process behind", async (t) => {
    const { daemon, client, rows } = await populated(t);
    const sum = (a: number) => ({ name: "everything__get-sum", arguments: { a, b: 1000 } });
    await Promise.all(Array.from({ length: 25 }, (_, a) => client.callTool(sum(a))));
    // Records of calls are written with the next group commit, a few milliseconds after the answer.
    await sleep(200);
    await daemon.rest("PATCH /servers/memory", { call_tool_timeout: "90s" });
    await daemon.rest("POST /servers/everything/tools/block", { tools: ["get-env"] });
    const [before, config] = [await known(daemon), readFileSync(join(daemon.dir, "mcp_config.json"), "utf8")];

    await daemon.rest("POST /servers/tree/tools/block", { tools: ["bare"] });
    daemon.child.kill("SIGKILL");
    await daemon.ended;
    await gone(rows, ORPHANS_MS);
    const again = await serve(t, { dir: daemon.dir });
    for (const name of NAMES) await again.listed(name);

    assert.equal(readFileSync(join(daemon.dir, "mcp_config.json"), "utf8"), config);
    before.tools.find((tool) => tool.server_name === "tree" && tool.name === "bare").disabled = true;
    assert.deepEqual(await known(again), before);
    const { activities } = await again.rest("GET /activity?server=everything&tool=get-sum&type=tool_call&limit=100");
    assert.deepEqual(
      activities.map((a: Json) => a.status),
      Array(25).fill("success"),
    );
    const next = await again.client("/mcp/all");
    assert.match(textOf(await next.callTool(sum(1))), /1001/);
  });

  test("a proxy that is told to stop exits 0 and leaves no process behind", async (t) => {
    const { daemon, rows } = await populated(t);

    daemon.child.kill("SIGTERM");
    const { code } = await daemon.ended;
    await gone(rows, ORPHANS_MS);

    assert.equal(code, 0);
  });

  test("a proxy killed in the middle of starting a server leaves no process behind", async (t) => {
    if (process.platform !== "linux") return t.skip("only Linux lets the mark in a process's environment be read");
    const slow = ["--name", "slow", "--init-delay", "60000", "--tree", "1", "--ignore-sigterm"];
    const server = { name: "slow", command: process.execPath, args: [resolve(UPSTREAM), ...slow] };
    const kill = async (moment: number) => {
      const daemon = await serve(t);
      t.after(async () => {
        for (const { pid } of await markedBy(daemon)) process.kill(pid, "SIGKILL");
      });
      await daemon.rest("POST /servers", server);
      await sleep(moment);
      daemon.child.kill("SIGKILL");
      await daemon.ended;
      const left = await markedBy(daemon);
      await until("none is left", async () => (await markedBy(daemon)).length === 0, ORPHANS_MS);
      return left.length;
    };

    const left = await Promise.all(MOMENTS.map(kill));

    assert.ok(Math.max(...left) > 0, "no kill came after a process was started");
  });
});
