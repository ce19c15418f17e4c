import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenForCli, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { CURSOR } from "#test/kit/connect.ts";

const app = await testApp({ connect: false });
const { env } = await listenForCli({ after }, app);
const proxy = (...argv: string[]) => cli(["connect", ...argv], commands, { env });

/** The app's home is its data directory. */
const file = join(app.dir, ".cursor", "mcp.json");
mkdirSync(join(app.dir, ".cursor"));
writeFileSync(file, CURSOR);

test("a client is listed, previewed, connected, taken back, connected and disconnected from the command line", async () => {
  assert.match((await proxy("list")).out, /^cursor +Cursor +yes +(?:no|not read) +\S+mcp\.json$/m);
  assert.match((await proxy("list", "cursor")).out, /^Cursor: not connected$/m);

  const seen = await proxy("preview", "cursor");
  assert.match(seen.out, /^\+ +"mcpproxy": \{$/m);
  assert.doesNotMatch(seen.out, /s3cr3t/);
  assert.equal(readFileSync(file, "utf8"), CURSOR);

  const done = await proxy("add", "cursor");
  assert.equal(done.code, 0);
  assert.match(done.err, /^Change of the entry "mcpproxy" in \S+mcp\.json; the rest of the file stays:\n@@/);
  assert.match(done.err, /^\+ +"mcpproxy": \{$/m);
  const [, flags] = /undo with: .* connect undo cursor (--backup \S+)/.exec(done.out)!;
  assert.match((await proxy("list", "cursor")).out, /^Cursor: connected to this proxy as "mcpproxy"$/m);

  assert.match((await proxy("list")).out, /^cursor +Cursor +yes +(?:yes|not read) +/m);

  const again = await proxy("add", "cursor");
  assert.equal(again.code, 0, "what says the same already is no conflict");
  assert.match(again.out, /already/);
  assert.doesNotMatch(again.out, /undo with/);
  const connected = readFileSync(file, "utf8");
  writeFileSync(file, connected.replace('"mcpproxy": {', '"mcpproxy": {\n      "note": "mine",'));
  const refused = await proxy("add", "cursor");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /already/);
  writeFileSync(file, connected);

  assert.match((await proxy("undo", "cursor", ...flags!.split(" "))).out, /is restored/);
  assert.equal(readFileSync(file, "utf8"), CURSOR);

  await proxy("add", "cursor");
  assert.match((await proxy("undo", "cursor")).out, /is restored/, "the newest connect without --backup");
  assert.equal(readFileSync(file, "utf8"), CURSOR);

  await proxy("add", "cursor", "--name", "tools");
  assert.match((await proxy("remove", "cursor")).out, /"tools" was removed/, "found by where it leads");
  assert.equal(readFileSync(file, "utf8"), CURSOR);
  assert.match((await proxy("remove", "cursor")).out, /nothing was changed/);
});

test("the list reads the files of installed clients, but on macOS, where that may raise a prompt, none", async (t) => {
  const { machine } = app.boot;
  t.after(() => Object.assign(app.boot, { machine }));
  const connected = async (platform: "linux" | "darwin") => {
    Object.assign(app.boot, { machine: { ...machine, platform } });
    const { out } = await proxy("list", "-o", "json");
    const cursor = JSON.parse(out).find(({ id }: { id: string }) => id === "cursor");
    return cursor.access_state;
  };

  assert.deepEqual([await connected("linux"), await connected("darwin")], ["accessible", "unknown"]);
});

test("an unknown client is an error", async () => {
  const { code, err } = await proxy("preview", "nobody");
  assert.notEqual(code, 0);
  assert.match(err, /nobody/);
});

test("a misspelt client leads to the known ones of a similar name", async () => {
  for (const action of ["preview", "add", "remove", "undo"]) {
    const { code, err } = await proxy(action, "cursr");

    assert.equal(code, 1);
    assert.match(err, /^proxy: client "cursr" not found; did you mean cursor\?/);
  }
});
