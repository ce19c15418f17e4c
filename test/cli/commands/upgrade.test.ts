import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { commands } from "#cli/commands.gen.ts";
import { cli } from "#test/kit/cli.ts";
import { folder } from "#test/kit/program.ts";

test("upgrade --check reads the release index without a proxy, and changes nothing", async (t) => {
  const dir = folder(t);
  const index = join(dir, "releases.json");
  const [older, newer] = [[{ tag_name: "v0.0.1" }], [{ tag_name: "v99.1.0", html_url: "https://example.com/99" }]];
  writeFileSync(join(dir, "mcp_config.json"), JSON.stringify({ update_check: { source: index } }));
  const check = (...more: string[]) => cli(["upgrade", "--check", "-d", dir, ...more], commands);

  writeFileSync(index, JSON.stringify(older));
  assert.match((await check()).out, /^\S+ is the newest release\n$/);
  writeFileSync(index, JSON.stringify(newer));
  assert.match((await check()).out, /^99\.1\.0 is available, this is \S+\nhttps:\/\/example\.com\/99\n$/);
  const named = await check("--source", pathToFileURL(index).href, "--to", "1.2.3");
  assert.deepEqual([named.code, /version 1\.2\.3 is not in the release index/.test(named.err)], [1, true]);
  writeFileSync(join(dir, "mcp_config.json"), "{}");
  assert.match(
    (await check()).err,
    /no release index is configured; set it with: proxy .*config set update_check\.source/,
  );
});

test("a program that is not a single executable is left to who installed it", async (t) => {
  const dir = folder(t);
  const index = join(dir, "releases.json");
  writeFileSync(index, JSON.stringify([{ tag_name: "v99.1.0" }]));

  for (const line of [
    ["upgrade", "--source", index],
    ["upgrade", "--rollback"],
  ]) {
    const { code, err } = await cli([...line, "-d", dir], commands);
    assert.equal(code, 1);
    assert.match(err, /Git is in charge of .*; update it with: git pull/);
  }
});
