import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { callTool, startProgram, testUpstreams, textOf, until } from "#test/kit/upstream.ts";

const NEW = "2026-07-28";
const OLD = "2025-11-25";
const PROGRAM = "test/programs/upstream-sdk.mjs";

/** The newest version that a server of the official SDK can be spoken to in. */
const ROWS: [sdk: string, versions: string, expected: string][] = [
  ["1", "both", OLD],
  ["2", "both", NEW],
  ["2", "modern", NEW],
];

async function speaks(entry: object, expected: string) {
  const all = testUpstreams({ servers: [{ name: "one", ...entry }] });
  try {
    const one = all.upstream("one");
    await until("connected", () => one.status().state === "Ready", 60_000);

    assert.equal(one.status().protocolVersion, expected);
    await until("listed", () => all.accepted.get("one")?.length === 1);
    assert.equal(textOf(await callTool(one, "hi")), "hi");
  } finally {
    await all.close();
  }
}

for (const [sdk, versions, expected] of ROWS) {
  test(`a server of SDK ${sdk} (${versions}) is spoken to in ${expected}: stdio`, () =>
    speaks({ command: process.execPath, args: [PROGRAM, sdk, "stdio", versions] }, expected));

  test(`a server of SDK ${sdk} (${versions}) is spoken to in ${expected}: http`, async () => {
    const program = await startProgram("upstream-sdk.mjs", sdk, "http", versions);
    try {
      await speaks({ url: program.url, protocol: "streamable-http" }, expected);
    } finally {
      await program.kill();
    }
  });
}

/** Interpreters with the package `mcp`, separated by `:`. */
for (const python of (process.env.TEST_PYTHON_MCP ?? "python3").split(":"))
  test("a server of the Python SDK is spoken to in its newest version", async (t) => {
    const asked = spawnSync(python, ["-c", "from importlib.metadata import version; print(version('mcp'))"]);
    const version = asked.status === 0 ? String(asked.stdout).trim() : undefined;
    if (!version)
      return t.skip(`no package "mcp" in ${python}: TEST_PYTHON_MCP=$(test/python/install.sh mcp-2 python) npm test`);

    const entry = { command: python, args: ["test/programs/upstream-python.py"] };
    await speaks(entry, version.startsWith("1.") ? OLD : NEW);
  });
