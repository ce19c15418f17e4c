import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse as parseYaml } from "yaml";
import { commands } from "#cli/commands.gen.ts";
import { listenTest, withApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { folder } from "#test/kit/program.ts";
import { verifies } from "#test/kit/verifies.ts";

/** A good script, an ambiguous one and an empty one in `scripts/` of a folder. */
function scripts(dir: string): string {
  const path = join(dir, "scripts");
  mkdirSync(path);
  for (const file of ["a.js", "b.js", "b.ts"]) writeFileSync(join(path, file), "1");
  writeFileSync(join(path, "c.ts"), "");
  return path;
}
const expected = (dir: string) => ({
  dir,
  scripts: [
    { name: "a", paths: [join(dir, "a.js")], status: "ok" },
    { name: "b", paths: [join(dir, "b.js"), join(dir, "b.ts")], status: "ambiguous" },
    { name: "c", paths: [join(dir, "c.ts")], status: "invalid", reason: "empty" },
  ],
});
const list = (argv: string[], env: Record<string, string>) =>
  cli(["code", "scripts", "list", ...argv], commands, { env });

verifies(
  ["code.cli.scripts", "code.cli.scripts-output"],
  "scripts are asked of the proxy that runs, and json and yaml hold dir and scripts",
  () =>
    withApp({}, async (app) => {
      const dir = scripts(app.dir);
      const { url, key, close } = await listenTest(app);
      const env = { SERVICE_URL: url, SERVICE_API_KEY: key };

      const [json, yaml, table] = [await list(["--json"], env), await list(["-o", "yaml"], env), await list([], env)];

      assert.deepEqual(JSON.parse(json.out), expected(dir));
      assert.deepEqual(parseYaml(yaml.out), expected(dir));
      assert.match(table.out, /^NAME +STATUS +PATH\na +ok +\/.*\/a\.js\nb +ambiguous +.*, .*\nc +invalid: empty +/);
      await close();
    }),
);

verifies(
  ["code.cli.scripts", "code.cli.scripts-output", "code.cli.config"],
  "without a proxy the folder beside the configuration is read, whichever was chosen",
  async (t) => {
    const [usual, chosen] = [folder(t), folder(t)];
    const dir = scripts(chosen);
    writeFileSync(join(chosen, "other.json"), "{}");

    const none = await list(["-o", "json"], { SERVICE_DATA: usual });
    const told = await list([], { SERVICE_DATA: usual });
    const other = await list(["--json", "-c", join(chosen, "other.json")], { SERVICE_DATA: usual });
    const yaml = await list(["-o", "yaml"], { SERVICE_DATA: chosen });

    assert.deepEqual(JSON.parse(none.out), { dir: join(usual, "scripts"), scripts: [] });
    assert.equal(told.out, `no scripts in ${join(usual, "scripts")}\n`);
    assert.deepEqual(JSON.parse(other.out), expected(dir));
    assert.deepEqual(parseYaml(yaml.out), expected(dir));
  },
);

test("without a proxy, scripts that are switched off, and a configuration that is wrong or missing, exit 2", async (t) => {
  const dir = folder(t);
  const off = join(dir, "off.json");
  const broken = join(dir, "broken.json");
  writeFileSync(off, '{"enable_code_execution":false}');
  writeFileSync(broken, "{nonsense");

  const rows: [argv: string[], env: Record<string, string>, message: RegExp][] = [
    [["-c", off], {}, /code execution is disabled/],
    [["-d", dir], { SERVICE_ENABLE_CODE_EXECUTION: "false" }, /code execution is disabled/],
    [["-c", broken], {}, /broken\.json:1:2/],
    [["-c", join(dir, "none.json")], {}, /configuration file .*none\.json does not exist/],
  ];
  for (const [argv, env, message] of rows) {
    const { code, err, out } = await list(argv, env);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, message);
  }
  assert.equal((await list(["-c", off], { SERVICE_ENABLE_CODE_EXECUTION: "true" })).code, 0);
});

test("a proxy that was named and is not there is an error; no folder is read instead", async (t) => {
  const { code, out, err } = await list([], { SERVICE_URL: "http://127.0.0.1:9", SERVICE_DATA: folder(t) });

  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /no proxy is running at http:\/\/127\.0\.0\.1:9/);
});
