import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenTest, withApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";

test("a stored script is printed as it would run; a masked secret is told, and a misspelt name refused (spec 001 §2.4)", () =>
  withApp({}, async (app) => {
    mkdirSync(join(app.dir, "scripts"));
    writeFileSync(join(app.dir, "scripts", "sum.js"), "1 + 1\n");
    writeFileSync(join(app.dir, "scripts", "keyed.js"), 'const key = "ghp_0123456789abcdefghijABCDEFGHIJ012345"; 1');
    const { url, key, close } = await listenTest(app);
    const show = (name: string) =>
      cli(["code", "scripts", "show", name], commands, { env: { SERVICE_URL: url, SERVICE_API_KEY: key } });

    const [plain, keyed, none] = [await show("sum"), await show("keyed"), await show("nothing")];

    assert.deepEqual([plain.out, plain.code], ["1 + 1\n", 0]);
    assert.ok(!keyed.out.includes("ghp_0123456789"), keyed.out);
    assert.match(keyed.err, /masked here/);
    assert.equal(none.code, 1);
    assert.match(none.err, /nothing/);
    await close();
  }));
