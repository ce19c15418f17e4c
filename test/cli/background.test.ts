import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { homeFolder } from "#test/kit/home.ts";
import { runProgram, start } from "#test/kit/program.ts";

/** A home folder whose configuration listens only on its socket. The proxy that runs there is stopped after the test. */
function homeOf(t: TestContext, config: object = {}): { HOME: string } {
  const HOME = homeFolder(t);
  mkdirSync(join(HOME, ".mcpproxy"), { mode: 0o700 });
  const document = { listen: "", api_key: "k".repeat(32), mcpServers: [], ...config };
  writeFileSync(join(HOME, ".mcpproxy", "mcp_config.json"), JSON.stringify(document), { mode: 0o600 });
  return { HOME };
}
const json = (text: string) => JSON.parse(text);

test("up starts the proxy in the background, restart keeps its flags, down stops it", async (t) => {
  const env = homeOf(t);

  const up = await runProgram(t, ["up", "--json", "--", "--read-only"], env);
  assert.equal(up.code, 0, up.err);
  const { pid, started } = json(up.out);
  assert.equal(started, true);
  if (process.platform === "linux")
    assert.match(readFileSync(`/proc/${pid}/environ`, "utf8"), /MALLOC_ARENA_MAX=1\0/, "it needs less memory");
  const again = await runProgram(t, ["up"], env);
  assert.match(again.out, new RegExp(`is already running, process ${pid}\\n`));
  const readOnly = await runProgram(t, ["upstream", "add", "x", "http://127.0.0.1:1"], env);
  assert.match(readOnly.err, /read_only_mode/);

  const restarted = await runProgram(t, ["restart", "--json"], env);
  assert.equal(restarted.code, 0, restarted.err);
  assert.notEqual(json(restarted.out).pid, pid);
  assert.match((await runProgram(t, ["upstream", "add", "x", "http://127.0.0.1:1"], env)).err, /read_only_mode/);

  assert.deepEqual(await runProgram(t, ["down"], env), { code: 0, out: "stopped\n", err: "" });
  assert.equal((await runProgram(t, ["status"], env)).code, 1);
  assert.deepEqual(await runProgram(t, ["down"], env), { code: 0, out: "no proxy is running\n", err: "" });
  assert.match(readFileSync(join(env.HOME, ".mcpproxy", "logs", "proxy.log"), "utf8"), /INFO/);
});

test("a proxy that does not start is explained, with the last lines of its output and without the key", async (t) => {
  const env = homeOf(t, { tools_limit: "many" });

  const { code, err, out } = await runProgram(t, ["up"], env);

  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /did not start \(exit code 2\):\n[\s\S]*tools_limit/);
  assert.equal(existsSync(join(env.HOME, ".mcpproxy", "background.json")), false);
});

test("restart leaves alone a proxy that it did not start", async (t) => {
  const env = homeOf(t);
  await start(t, ["serve"], env).says(/is ready\n/);

  const { code, err } = await runProgram(t, ["restart"], env);

  assert.equal(code, 1);
  assert.match(err, /was not started by `.*up`; .*proxy\.cjs down && .*proxy\.cjs up/);
});

test("a remote proxy is neither started nor stopped", async (t) => {
  for (const word of ["up", "down", "restart", "service install"]) {
    const { code, err } = await runProgram(t, [...word.split(" "), "--url", "http://127.0.0.1:1"]);
    assert.equal(code, 2, word);
    assert.match(err, /on its machine/);
  }
});
