import assert from "node:assert/strict";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BUNDLE, folder, start } from "#test/kit/program.ts";

test("a start needs no library", async (t) => {
  const program = folder(t);
  const assets = join(program, "assets");
  cpSync(join(BUNDLE, "../assets"), assets, { recursive: true });
  cpSync(BUNDLE, join(program, "proxy.cjs"));
  for (const name of readdirSync(assets)) if (name.startsWith("library-")) rmSync(join(assets, name));

  const argv = ["serve", "--listen", "127.0.0.1:0", "--data-dir", folder(t)];
  const serving = start(t, argv, {}, join(program, "proxy.cjs"));
  const [, url = ""] = await serving.says(/MCP endpoint\s+(http:\S+)\/mcp\n/);
  const answer = await fetch(`${url}/healthz`);

  assert.equal(answer.status, 200);
});
