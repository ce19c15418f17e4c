import assert from "node:assert/strict";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { completeNames } from "#cli/completion/complete-names.ts";
import { listenForCli, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";

const app = await testApp({
  connect: false,
  servers: [{ name: "git" }, { name: "gitlab" }, { name: "mail" }].map((one) => ({ ...one, command: "x" })),
  tools: { "git:log": "approved", "git:diff": "approved", "mail:send": "approved" },
  config: { profiles: [{ name: "work", servers: ["git"] }] },
});
const { env } = await listenForCli({ after }, app);
await cli(["token", "create", "ci"], commands, { env });

const ROWS: [kind: string, word: string, names: string[]][] = [
  ["servers", "", ["git", "gitlab", "mail"]],
  ["servers", "gi", ["git", "gitlab"]],
  ["tools", "", ["git:", "gitlab:", "mail:"]],
  ["tools", "ma", ["mail:send"]],
  ["tools", "git:", ["git:diff", "git:log"]],
  ["tools", "git:l", ["git:log"]],
  ["tools", "nobody:", []],
  ["tokens", "", ["ci"]],
  ["profiles", "w", ["work"]],
  ["clients", "curs", ["cursor"]],
  ["registries", "zzz", []],
  ["constructor", "", []],
  ["", "", []],
];
for (const [kind, word, names] of ROWS)
  test(`${kind || "nothing"} that begin with "${word}"`, async () => {
    assert.deepEqual((await completeNames([kind, word], env)).sort(), names);
  });

test("the flags of the line select the proxy, and without a proxy there is nothing and no error", async () => {
  const { SERVICE_URL: url, SERVICE_API_KEY: key } = env;

  assert.deepEqual(await completeNames(["servers", "m", "--url", url, "--api-key", key, "rm"], {}), ["mail"]);
  assert.deepEqual(await completeNames(["servers", "m", `--url=${url}`, `--api-key=${key}`], {}), ["mail"]);
  assert.deepEqual(await completeNames(["servers", "", "-d", "/nonexistent"], {}), []);
  assert.deepEqual(await completeNames(["servers", "", "--url", url, "--api-key", "wrong"], {}), []);
});

test("completion prints a script for each shell and refuses others", async () => {
  for (const shell of ["bash", "zsh", "fish", "powershell"]) {
    const { code, out } = await cli(["completion", shell], commands);
    assert.equal(code, 0);
    assert.match(out, /__complete/);
    assert.match(out, /unquarantine/);
    assert.doesNotMatch(out, /demo-server|undefined|\[object/);
  }
  assert.equal((await cli(["completion", "tcsh"], commands)).code, 2);
});
