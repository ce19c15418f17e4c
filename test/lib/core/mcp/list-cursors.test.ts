import assert from "node:assert/strict";
import { test } from "node:test";
import { listCursor, readListCursor } from "#lib/core/mcp/list-cursors.ts";
import { RPC, RpcError } from "#lib/core/schema/mcp.ts";
import { memoryMeta, testStates } from "#test/kit/sealed-states.ts";

const BINDING = { list: "prompts", owner: "agent:a" };
const isRefused = (error: unknown) => error instanceof RpcError && error.code === RPC.invalidParams;

test("a cursor is good for its own list and caller alone, after a restart, too", async () => {
  const storage = memoryMeta();
  const cursor = await listCursor(testStates({ storage }), BINDING, "a");

  const states = testStates({ storage });

  assert.equal(await readListCursor(states, BINDING, cursor), "a");
  assert.equal(await listCursor(states, BINDING, "a"), cursor);
  const forged = Buffer.from('[1,"x","a"]').toString("base64url");
  for (const bad of ["", "x", cursor.slice(1), forged, null, 7])
    await assert.rejects(readListCursor(states, BINDING, bad), isRefused);
  await assert.rejects(readListCursor(states, { ...BINDING, list: "resources" }, cursor), isRefused);
  await assert.rejects(readListCursor(states, { ...BINDING, owner: "agent:b" }, cursor), isRefused);
});
