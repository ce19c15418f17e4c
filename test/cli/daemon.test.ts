import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenTest, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";

const app = await testApp({
  connect: false,
  config: { enable_socket: true },
  servers: [{ name: "git", command: "x", enabled: false }],
});
const listening = await listenTest(app);
after(async () => {
  await listening.close();
  await app.close();
});
const other = join(app.dir, "other.json");
writeFileSync(other, "{}");
const proxy = (...argv: string[]) => cli([...argv, "-d", app.dir], commands);

test("a command that names another configuration file than the running proxy uses changes nothing", async () => {
  for (const argv of [
    ["rm", "git", "--yes"],
    ["code", "exec", "--code", "1"],
    ["activity", "watch"],
    ["activity", "export"],
    ["bridge"],
  ]) {
    const { code, err } = await proxy(...argv, "-c", other);

    assert.equal(code, 2, argv.join(" "));
    assert.ok(err.includes(`the running proxy uses the configuration file ${app.config.path}, not ${other}`), err);
  }
  assert.notEqual(app.config.server("git"), undefined);
});

test("the configuration file of the running proxy may be named, also by a link", async () => {
  const link = join(app.dir, "link.json");
  symlinkSync(app.config.path, link);

  for (const path of [app.config.path, link]) assert.equal((await proxy("ls", "-c", path)).code, 0, path);
});
