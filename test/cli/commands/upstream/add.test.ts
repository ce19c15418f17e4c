import assert from "node:assert/strict";
import { test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { cli } from "#test/kit/cli.ts";
import { serve } from "#test/kit/mcp.ts";

const HELLO = ["--", process.execPath, "-e", "0"];

test("what a new server lacks is said before its review: secrets to store and variables to set, of this server alone", async (t) => {
  const { url, key } = await serve(t, {});
  const env = { SERVICE_URL: url, SERVICE_API_KEY: key, CI: "1" };
  const add = (name: string, ...words: string[]) =>
    cli(["upstream", "add", name, ...words, ...HELLO], commands, { env });

  const lacking = await add("lacking", "--env", "A=${keyring:add-test}", "--env", "B=${env:ADD_TEST_UNSET}");
  assert.equal(lacking.code, 0, lacking.err);
  assert.match(lacking.err, /It needs the secret add-test: \S.* secrets set add-test\n/);
  assert.match(lacking.err, /It needs ADD_TEST_UNSET: set it in the environment of the proxy and restart/);
  assert.match(lacking.err, /Then review its tools and release it: \S.* review lacking/);

  const whole = await add("whole");
  assert.doesNotMatch(whole.err, /It needs/);
  assert.match(whole.err, /Review its tools and release it: \S.* review whole/);
});
