import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Config } from "#lib/core/config/config-keys.ts";
import { openSelectedStore } from "#lib/core/extension/open-selected-store.ts";
import type { StoreEngine } from "#lib/core/extension/store-engine.ts";
import { DATABASE_FILE } from "#lib/core/store/open-store.ts";
import type { Store } from "#lib/core/store/store.ts";
import { handClock } from "#test/kit/clock.ts";
import { heardLog } from "#test/kit/log.ts";
import { temporaryFolder } from "#test/kit/store.ts";

function scene() {
  const { dir, remove } = temporaryFolder();
  const start = {
    config: {} as Config,
    dir,
    env: {},
    clock: handClock(),
    log: heardLog(),
    secrets: { resolve: async (text: string) => text },
  };
  return { start, dir, [Symbol.dispose]: remove };
}

const unselected: StoreEngine = () => undefined;

test("the embedded store is opened if the configuration selects no other engine", async () => {
  using it = scene();

  const store = await openSelectedStore([unselected], it.start);

  await store.close();
  assert.ok(existsSync(join(it.dir, DATABASE_FILE)));
});

test("the engine that the configuration selects is opened instead of the embedded store", async () => {
  using it = scene();
  const other = {} as Store;

  const store = await openSelectedStore([unselected, async () => other], it.start);

  assert.equal(store, other);
  assert.ok(!existsSync(join(it.dir, DATABASE_FILE)));
});

test("the program does not start with the embedded store if the selected engine cannot be opened", async () => {
  using it = scene();
  const broken: StoreEngine = async () => {
    throw new Error("no such server");
  };

  await assert.rejects(openSelectedStore([broken], it.start), /no such server/);

  assert.ok(!existsSync(join(it.dir, DATABASE_FILE)));
});
