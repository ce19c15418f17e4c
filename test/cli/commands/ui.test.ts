import assert from "node:assert/strict";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { openBrowser } from "#cli/open-browser.ts";
import { listenForCli, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { signedIn } from "#test/kit/panel-session.ts";

const app = await testApp({ connect: false });
const { env, ...daemon } = await listenForCli({ after }, app);

test("proxy ui prints a link that signs in, once, and has no key in it; no browser is opened where nobody looks", async () => {
  const { code, out, err } = await cli(["ui"], commands, { env });
  assert.equal(code, 0);
  assert.match(out, new RegExp(`^${daemon.url}/ui/#code=[\\w-]{43}\\n$`));
  assert.ok(!out.includes(daemon.key));
  assert.match(err, /open this link within a minute; it works once/);
  await signedIn(app, { code: out.trim().split("#code=")[1]! });
});

test("proxy ui says so when the proxy has no address", async () => {
  const { listenAddr } = app.boot;
  app.boot.listenAddr = "";
  try {
    const { code, err } = await cli(["ui", "--no-open"], commands, { env });
    assert.equal(code, 1);
    assert.match(err, /no HTTP listener/);
  } finally {
    app.boot.listenAddr = listenAddr;
  }
});

test("a machine without a program that opens addresses is no error", async () => {
  const { PATH } = process.env;
  process.env.PATH = "/nonexistent";
  try {
    assert.equal(await openBrowser("http://127.0.0.1/", "linux"), false);
  } finally {
    process.env.PATH = PATH;
  }
});
