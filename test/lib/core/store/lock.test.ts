import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { lockByName, lockFolder } from "#lib/core/store/lock.ts";
import { temporaryFolder } from "#test/kit/store.ts";
import { bundleStore, STORE_HOLDER } from "#test/kit/store-bundle.ts";

const ROUNDS = Number(process.env.STORE_LOCK_ROUNDS ?? 3);
const STARTERS = 16;

test("a directory is held by one, and free again after its release", async (t) => {
  const dir = folder(t);
  const first = await lockFolder(dir);

  await assert.rejects(lockFolder(dir), { code: "database_locked", message: new RegExp(dir) });
  await first.release();
  const second = await lockFolder(dir);
  await assert.rejects(lockFolder(dir), { code: "database_locked" });
  await second.release();
});

test("other names for the same directory are the same directory", async (t) => {
  const dir = folder(t);
  const lock = await lockFolder(dir);
  t.after(() => lock.release());

  await assert.rejects(lockFolder(join(dir, "..", dir.split("/").at(-1)!, ".")), { code: "database_locked" });
});

test("a directory too deep for a socket's path is held like any other", async (t) => {
  const deep = join(folder(t), "d".repeat(100), "e".repeat(100));
  mkdirSync(deep, { recursive: true });
  const lock = await lockFolder(deep);

  await assert.rejects(lockFolder(deep), { code: "database_locked" });
  await lock.release();
  assert.deepEqual(readdirSync(deep), ["lock.1"]);
  await (await lockFolder(deep)).release();
});

test("where the disk has no sockets, a name of the kernel's is held", async (t) => {
  if (process.platform === "darwin") return t.skip("macOS has neither pipes by name nor abstract sockets");
  const name = `${process.platform === "win32" ? "\\\\.\\pipe\\" : "\0"}proxy-test-${process.pid}`;
  const lock = await lockByName("/data", name);

  await assert.rejects(lockByName("/data", name), { code: "database_locked", message: /\/data/ });
  await lock.release();
  await (await lockByName("/data", name)).release();
});

test(`of ${STARTERS} starters one holds, and a killed holder stops nobody (${ROUNDS} rounds)`, async (t) => {
  const dir = folder(t);
  const bundle = await bundleStore(dir);
  const data = join(dir, "data");
  mkdirSync(data);
  for (let round = 0; round < ROUNDS; round++) {
    const starters = Array.from({ length: STARTERS }, () => start(t, bundle, data));

    const said = await Promise.all(starters.map(firstLine));

    const held = starters.filter((_, i) => said[i] === "held");
    assert.equal(held.length, 1, `round ${round}: ${said}`);
    assert.equal(said.filter((line) => line === "database_locked").length, STARTERS - 1, `round ${round}: ${said}`);
    held[0]!.kill("SIGKILL");
    await once(held[0]!, "close");
  }
  const lock = await lockFolder(data);
  await lock.release();
  assert.deepEqual(readdirSync(data).length, 1, "sockets of the dead are cleared away");
});

function start(t: TestContext, bundle: string, data: string): ChildProcess {
  const child = spawn(process.execPath, [STORE_HOLDER, bundle, data], { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [text] = await once(child.stdout!.setEncoding("utf8"), "data");
  return String(text).trim();
}

function folder(t: TestContext): string {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  return dir;
}
