import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { until } from "#test/kit/until.ts";

const program = (name: string) =>
  join(process.cwd(), `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

test("a scan admits every tool of three real servers by itself", async () => {
  const folder = mkdtempSync(join(tmpdir(), "scan-"));
  const servers = [
    { name: "everything", args: [program("everything")] },
    { name: "filesystem", args: [program("filesystem"), folder] },
    { name: "memory", args: [program("memory")] },
  ].map((server) => ({ ...server, command: process.execPath, trust_mode: "scan" as const }));
  try {
    await withApp({ servers }, async (app) => {
      for (const { name } of servers) {
        await until(`${name} lists its tools`, () => app.catalog.of(name).length > 5);
        const held = app.catalog.of(name).filter((row) => row.status !== "approved");
        assert.deepEqual(
          held.map((row) => [row.id, app.catalog.scan(name, row, row.hash).findings]),
          [],
        );
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
