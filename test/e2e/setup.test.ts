import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { callRead, connectAsCursor, writeCursorFile } from "#test/kit/cursor.ts";
import { homeFolder } from "#test/kit/home.ts";
import { runProgram } from "#test/kit/program.ts";
import { MAX_SETUP_DECISIONS, MAX_SETUP_SECONDS, sixServers } from "#test/kit/six-servers.ts";
import { atTerminal } from "#test/kit/terminal.ts";

const six = sixServers();

test(`six servers of Cursor: from the first command to the first call by the client in ${MAX_SETUP_SECONDS} s and ${MAX_SETUP_DECISIONS} decisions`, {
  skip: six.skip,
  timeout: 400_000,
}, async (t) => {
  const HOME = homeFolder(t);
  const { file, text: before } = writeCursorFile(HOME, six.servers(HOME));
  const env = { HOME, PATH: process.env.PATH ?? "", SERVICE_LISTEN: "127.0.0.1:0" };

  const from = Date.now();
  // The proxy of the bundle is started first, because a test cannot start itself in the background.
  const up = await runProgram(t, ["up"], env);
  assert.equal(up.code, 0, up.err);
  const { code, out, err } = await atTerminal(["setup"], commands, { env, answers: ["all", "move", "approve"] });
  assert.equal(code, 0, err);
  const result = await callRead(await connectAsCursor(t, file), "memory:read_graph");
  const seconds = Math.round((Date.now() - from) / 1000);

  assert.notEqual(result.isError, true, JSON.stringify(result));
  assert.match(out, /^6 servers imported, 6 released, 1 secret moved out of plain text$/m);
  const decisions = Number(/^(\d+) decisions?,/m.exec(out)?.[1]);
  t.diagnostic(`${seconds} s, ${decisions} decisions`);
  assert.ok(decisions <= MAX_SETUP_DECISIONS, out);
  assert.ok(seconds <= MAX_SETUP_SECONDS, `${seconds} s`);
  assert.ok(!readFileSync(join(HOME, ".mcpproxy", "mcp_config.json"), "utf8").includes("ghp_"));
  for (let i = 0; i < 2; i++) assert.equal((await runProgram(t, ["connect", "undo", "cursor"], env)).code, 0);
  assert.equal(readFileSync(file, "utf8"), before);
});
