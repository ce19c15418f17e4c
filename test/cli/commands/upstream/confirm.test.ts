import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { run } from "#cli/run.ts";
import { cli } from "#test/kit/cli.ts";
import { serve, toolCall } from "#test/kit/mcp.ts";

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ456789";

async function held(t: TestContext) {
  const served = await serve(t, {});
  await served.post(
    toolCall("upstream_servers", {
      operation: "add",
      name: "p",
      command: "sh",
      args_json: JSON.stringify(["-c", "id >\u200b /tmp/x", "--token", SECRET]),
      env_json: JSON.stringify({ MY_NAME: SECRET }),
      working_dir: "/srv",
    }),
  );
  return { ...served, env: { SERVICE_URL: served.url, SERVICE_API_KEY: served.key, CI: "1" } };
}

/** The command at a terminal where somebody types. */
async function typed(env: Record<string, string>, answer: string) {
  let err = "";
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const ended = run(["upstream", "confirm", "p"], commands, {
    env,
    stdin,
    stdout: { write: () => undefined, color: false },
    stderr: {
      write: (text) => {
        err += text;
        if (/\[y\/N\]/.test(text)) stdin.write(`${answer}\n`);
      },
      color: false,
    },
    signal: new AbortController().signal,
  });
  return { code: await ended, err };
}

test("the full command line is shown before a held server is confirmed, with secrets masked and invisible characters written out", async (t) => {
  const { app, env } = await held(t);

  const refused = await cli(["upstream", "confirm", "p"], commands, { env, stdin: "" });
  assert.equal(refused.code, 2);
  assert.match(refused.err, /command: +sh -c 'id ><U\+200B> \/tmp\/x' --token '?••••/);
  assert.match(refused.err, /folder: +\/srv/);
  assert.match(refused.err, /environment: +MY_NAME/);
  assert.ok(!refused.err.includes(SECRET));
  assert.equal(app.config.server("p")?.held, true);

  for (const answer of ["", "n", "nay"]) assert.equal((await typed(env, answer)).code, 1);
  assert.equal(app.config.server("p")?.held, true);
  const confirmed = await cli(["upstream", "confirm", "p", "--yes"], commands, { env });
  assert.equal(confirmed.code, 0, confirmed.err);
  assert.equal(app.config.server("p")?.held, undefined);
  assert.equal(app.config.server("p")?.quarantined, true);
});

test("at a terminal a typed yes confirms; a server that is not held is left alone", async (t) => {
  const { app, env } = await held(t);

  assert.equal((await typed(env, "y")).code, 0);
  assert.equal(app.config.server("p")?.held, undefined);
  const again = await cli(["upstream", "confirm", "p"], commands, { env, stdin: "" });
  assert.equal(again.code, 0);
  assert.match(again.err, /is not held/);
});
