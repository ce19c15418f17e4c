import assert from "node:assert/strict";
import { test } from "node:test";
import { keysetPage, sortEntries } from "#lib/core/mcp/keyset-page.ts";
import { RPC, RpcError } from "#lib/core/schema/mcp.ts";
import { seeded } from "#test/kit/random.ts";

const BINDING = { list: "prompts", owner: "agent:a" };
const entries = (keys: readonly string[]) => sortEntries(keys.map((key) => ({ key, text: JSON.stringify(key) })));
const isRefused = (error: unknown) => error instanceof RpcError && error.code === RPC.invalidParams;

test("a walk shows what lasts exactly once while servers come and go (1,000 walks)", () => {
  const { below, pick } = seeded(20);

  for (let walk = 0; walk < 1000; walk++) {
    const servers = new Map<string, string[]>();
    const add = (name: string) =>
      servers.set(
        name,
        Array.from({ length: below(20) }, (_, i) => `${name}__${pick(["t", "T", "ä", "😀", "_"])}${i}`),
      );
    for (let i = 0; i < 6; i++) add(`s${i}`);
    const lasting = new Set([...servers.values()].flat());
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const limits = { entries: 1 + below(10), chars: 1000 };
      const page = keysetPage(entries([...servers.values()].flat()), BINDING, cursor, limits);
      seen.push(...page.texts.map((text) => JSON.parse(text)));
      cursor = page.nextCursor;
      const name = `s${below(9)}`;
      if (servers.has(name)) {
        for (const key of servers.get(name)!) lasting.delete(key);
        servers.delete(name);
      } else add(name);
    } while (cursor !== undefined);

    assert.equal(new Set(seen).size, seen.length);
    for (const key of lasting) assert.ok(seen.includes(key), key);
  }
});

test("a cursor is good for its own list and caller alone", () => {
  const list = entries(["a", "b", "c"]);
  const { nextCursor } = keysetPage(list, BINDING, undefined, { entries: 1, chars: 1000 });
  const forged = Buffer.from('[1,"x","a"]').toString("base64url");

  assert.deepEqual(keysetPage(list, BINDING, nextCursor), { texts: ['"b"', '"c"'] });
  for (const bad of ["", "x", nextCursor!.slice(1), forged, null, 7])
    assert.throws(() => keysetPage(list, BINDING, bad), isRefused);
  assert.throws(() => keysetPage(list, { ...BINDING, list: "resources" }, nextCursor), isRefused);
  assert.throws(() => keysetPage(list, { ...BINDING, owner: "agent:b" }, nextCursor), isRefused);
});

test("a page ends at its limit, has at least one entry, and never ends in a cursor to nothing", () => {
  const list = entries(["a", "b", "c"]);

  assert.equal(keysetPage(list, BINDING, undefined, { entries: 10, chars: 1 }).texts.length, 1);
  assert.equal(keysetPage(list, BINDING, undefined, { entries: 3, chars: 1000 }).nextCursor, undefined);
  assert.deepEqual(keysetPage([], BINDING, undefined), { texts: [] });
});
