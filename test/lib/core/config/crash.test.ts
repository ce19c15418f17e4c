import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as immediate } from "node:timers/promises";
import { build } from "esbuild";
import { checkConfig } from "#lib/core/config/check.ts";
import { folder } from "./opened.ts";
import "#lib/modules/config.gen.ts";

const ROUNDS = 10;

test("kill -9 in the middle of changes never leaves a broken file, nor loses a change that was answered", async () => {
  const dir = folder();
  const bundle = join(dir, "open.mjs");
  await build({
    entryPoints: ["lib/core/config/open-config.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    // jsonc-parser's other form finds its parts at run time.
    mainFields: ["module", "main"],
    outfile: bundle,
    logLevel: "error",
  });
  const path = join(dir, "mcp_config.json");
  writeFileSync(path, '{"api_key":"k","unknown":{"kept":[1]},"activity_max_records":0}');
  let changes = 0;

  for (let round = 0; round < ROUNDS; round++) {
    const writer = spawn(process.execPath, ["test/programs/config-writer.mjs", bundle, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    writer.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    await once(writer.stdout, "data");
    // Meanwhile a reader sees whole documents only.
    for (const end = Date.now() + 3 + 7 * round; Date.now() < end; await immediate())
      assert.equal(JSON.parse(readFileSync(path, "utf8")).mcpServers.length, 50);
    writer.kill("SIGKILL");
    await once(writer, "close");

    const acknowledged = Number(out.trimEnd().split("\n").at(-1));
    const document = JSON.parse(readFileSync(path, "utf8"));
    const checked = checkConfig(document);
    assert.ok(checked.ok);
    assert.deepEqual(document.unknown, { kept: [1] });
    assert.equal(document.mcpServers.length, 50);
    const found = checked.config.activity_max_records;
    assert.ok(found === acknowledged || found === acknowledged + 1, `${found} after ${acknowledged}`);
    changes = found;
  }
  assert.ok(changes > ROUNDS, `${changes} changes`);
});
