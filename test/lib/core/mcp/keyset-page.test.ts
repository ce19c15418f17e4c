import assert from "node:assert/strict";
import { test } from "node:test";
import { keysetPage, sortEntries } from "#lib/core/mcp/keyset-page.ts";
import { seeded } from "#test/kit/random.ts";

const entries = (keys: readonly string[]) => sortEntries(keys.map((key) => ({ key, text: JSON.stringify(key) })));

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
    let after: string | undefined;
    do {
      const limits = { entries: 1 + below(10), chars: 1000 };
      const page = keysetPage(entries([...servers.values()].flat()), after, limits);
      seen.push(...page.texts.map((text) => JSON.parse(text)));
      after = page.lastKey;
      const name = `s${below(9)}`;
      if (servers.has(name)) {
        for (const key of servers.get(name)!) lasting.delete(key);
        servers.delete(name);
      } else add(name);
    } while (after !== undefined);

    assert.equal(new Set(seen).size, seen.length);
    for (const key of lasting) assert.ok(seen.includes(key), key);
  }
});

test("a page ends at its limit, has at least one entry, and names no page that is empty", () => {
  const list = entries(["a", "b", "c"]);

  assert.equal(keysetPage(list, undefined, { entries: 10, chars: 1 }).texts.length, 1);
  assert.equal(keysetPage(list, undefined, { entries: 3, chars: 1000 }).lastKey, undefined);
  assert.deepEqual(keysetPage([], undefined), { texts: [] });
});
