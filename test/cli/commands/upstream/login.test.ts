import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { run } from "#cli/run.ts";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";
import { asksForSignIn, browse, type Guarded, startGuarded } from "#test/kit/sign-in.ts";
import { until } from "#test/kit/until.ts";

let guarded: Guarded;
let app: TestApp;
let daemon: Awaited<ReturnType<typeof listenTest>>;
before(async () => {
  guarded = await startGuarded();
  app = await testApp({ config: guarded.config, servers: [{ name: "guarded", url: guarded.url }] });
  daemon = await listenTest(app);
  await asksForSignIn(app, "guarded");
});
after(async () => {
  await daemon.close();
  await app.close();
  await guarded.kill();
});

/** A command that goes on while the test looks at what it says. */
function proxy(argv: string[], more: Record<string, string> = {}, terminal = false) {
  let [out, err] = ["", ""];
  const stdin = Object.assign(new PassThrough(), terminal && { isTTY: true, setRawMode: () => stdin });
  const env = { SERVICE_URL: daemon.url, SERVICE_API_KEY: daemon.key, CI: "1", ...more };
  const ended = run(argv, commands, {
    env,
    stdin,
    stdout: { write: (text) => (out += text), color: false },
    stderr: { write: (text) => (err += text), color: false },
    signal: new AbortController().signal,
  });
  const said = async (what: RegExp) => {
    await until(`it says ${what}`, () => what.test(err));
    return what.exec(err)?.[1] ?? "";
  };
  return { stdin, ended, said, out: () => out, err: () => err };
}

test("without a browser the address is shown, and the command ends when a user signed in with it", async () => {
  const login = proxy(["upstream", "login", "guarded"]);
  const address = await login.said(/(http:\/\/127\S+)/);
  assert.match(login.err(), /on another machine, pass its last address to: .*upstream login guarded --paste/);
  // The proxy's own listener takes the answer.
  const back = await browse(address);
  assert.equal(new URL(back).origin, daemon.url);
  // While the code is exchanged it is still the same sign-in.
  await guarded.control({ tokenDelay: 1200 });
  assert.equal((await fetch(back)).status, 200);
  await guarded.control({ tokenDelay: 0 });
  assert.equal(await login.ended, 0, login.err());
  assert.match(login.out(), /server "guarded": signed in\n/);
  const status = proxy(["auth", "status", "--json"]);
  assert.equal(await status.ended, 0);
  assert.equal(JSON.parse(status.out())[0].state, "signed_in");
});

test("with a browser on another machine, the address it ended at is pasted", async () => {
  const login = proxy(["upstream", "login", "guarded", "--paste"]);
  login.stdin.end(`${await browse(await login.said(/(http:\/\/127\S+)/))}\n`);
  assert.equal(await login.ended, 0, login.err());
  assert.match(login.out(), /signed in/);
});

test("the address of a sign-in that is under way can be given later, without beginning another", async () => {
  const none = proxy(["upstream", "login", "guarded", "--no-browser", "--no-wait"]);
  assert.equal(await none.ended, 0);
  assert.match(none.out(), /another machine, pass its last address to: .* upstream login guarded --paste\n/);
  const back = await browse(/(http:\/\/127\S+)/.exec(none.out())![1]!);
  const early = proxy(["upstream", "login", "guarded", "--paste"]);
  early.stdin.end("http://127.0.0.1/other?a=1\n");
  assert.equal(await early.ended, 2);
  assert.match(early.err(), /in progress; to start another: .*upstream login guarded\n/);
  assert.match(early.err(), /not the address at which a sign-in ended; copy the complete address/);
  const login = proxy(["auth", "login", "-s", "guarded", "--paste"]);
  login.stdin.end(new URL(back).search);
  assert.equal(await login.ended, 0, login.err());
  assert.match(login.out(), /server "guarded": signed in\n/);
});

test("at a terminal the address is asked for beside the wait for the browser, until it can be one", async () => {
  const login = proxy(["upstream", "login", "guarded"], {}, true);
  const address = await login.said(/(http:\/\/127\S+)/);
  await login.said(/paste its last address: /);
  login.stdin.write(`${address}\r`);
  await login.said(/this is the address to start at; open it in a browser/);
  await login.said(/browser ends\n.*paste its last address: /);
  login.stdin.write(`${await browse(address)}\r`);
  assert.equal(await login.ended, 0, login.err());
  assert.equal(login.out(), 'server "guarded": signed in\n');

  const other = proxy(["upstream", "login", "guarded"], {}, true);
  const back = await browse(await other.said(/(http:\/\/127\S+)/));
  await other.said(/paste its last address: /);
  other.stdin.write("\r");
  assert.equal((await fetch(back)).status, 200);
  assert.equal(await other.ended, 0, other.err());
});

test("where there is a browser, it gets the address as one argument", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const log = join(dir, "opened");
  writeFileSync(join(dir, "xdg-open"), `#!/bin/sh\nprintf '%s|' "$@" > '${log}'\n`);
  chmodSync(join(dir, "xdg-open"), 0o755);
  if (process.platform !== "linux") return t.skip("needs xdg-open");
  const env = { CI: "", DISPLAY: ":0", PATH: `${dir}${delimiter}${process.env.PATH}` };
  const login = proxy(["auth", "login", "-s", "guarded"], env);
  await login.said(/Finish signing in to "guarded" in the browser/);
  const [address = "", ...more] = readFileSync(log, "utf8").split("|");
  assert.deepEqual(more, [""]);
  await fetch(await browse(address));
  assert.equal(await login.ended, 0);
});

test("a sign-in that fails exits 1 and says what to do", async () => {
  await guarded.control({ authorize: { error: "access_denied", iss: (await guarded.control()).issuer } });
  const login = proxy(["upstream", "login", "guarded"]);
  await fetch(await browse(await login.said(/(http:\/\/127\S+)/)));
  assert.equal(await login.ended, 1);
  assert.match(login.out(), /access_denied[\s\S]*What to do: .*denied the sign-in/);
  await guarded.control({ authorize: null, server: false, resource: false });
  const other = proxy(["upstream", "login", "guarded"]);
  assert.equal(await other.ended, 1);
  assert.match(other.err(), /there is no metadata for signing in to server "guarded".*oauth\.issuer/);
  await guarded.control({ server: {}, resource: {} });
});

test("a command that waits too long, or not at all, leaves the sign-in to the browser", async () => {
  const short = proxy(["upstream", "login", "guarded", "--timeout", "100ms"]);
  assert.equal(await short.ended, 1);
  assert.match(short.err(), /can still finish/);
  const none = proxy(["upstream", "login", "guarded", "--no-wait", "--json"]);
  assert.equal(await none.ended, 0);
  const started = JSON.parse(none.out());
  assert.deepEqual([started.browser_opened, started.browser_error], [false, "CI is set"]);
  assert.equal((await fetch(await browse(started.auth_url))).status, 200);
});

test("signing out of all leaves nobody signed in", async () => {
  const out = proxy(["upstream", "logout", "--all"]);
  assert.equal(await out.ended, 0);
  assert.match(out.out(), /server "guarded": signed out and revoked the tokens at the provider/);
  const again = proxy(["auth", "logout", "-s", "guarded"]);
  await again.ended;
  assert.match(again.out(), /was not signed in/);
  assert.equal(await proxy(["upstream", "logout"]).ended, 2);
});
