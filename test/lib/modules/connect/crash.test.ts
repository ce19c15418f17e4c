import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import fsp, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { connect } from "#lib/modules/connect/connect.ts";
import { disconnect } from "#lib/modules/connect/disconnect.ts";
import { parse } from "#lib/modules/connect/document.ts";
import { undo } from "#lib/modules/connect/undo.ts";
import { admin } from "#test/kit/actor.ts";
import type { TestApp } from "#test/kit/app.ts";
import { CURSOR, withHome } from "#test/kit/connect.ts";

/**
 * The process ends at the nth thing it does to a file of the client: from there on nothing more reaches the disk, the
 * cleaning up included. A write may have been done in part.
 */
async function dyingAt(n: number, folder: string, act: () => Promise<unknown>): Promise<boolean> {
  let steps = 0;
  const real = { ...fsp };
  const dead = () => Object.assign(new Error("the process is gone"), { code: "EIO" });
  const step =
    <A extends unknown[], R>(own: (...args: A) => Promise<R>, half?: (...args: A) => Promise<unknown>) =>
    async (...args: A): Promise<R> => {
      steps++;
      if (steps === n) await half?.(...args);
      if (steps >= n) throw dead();
      return own(...args);
    };
  const inFolder = (path: unknown) => String(path).startsWith(folder);
  const patched = (name: "rename" | "link" | "rm" | "mkdir" | "chown") => {
    const own = real[name] as (...args: unknown[]) => Promise<unknown>;
    const stepped = step(own);
    return (...args: unknown[]) => (inFolder(args[0]) ? stepped(...args) : own(...args));
  };
  const open = async (...args: Parameters<typeof fsp.open>): Promise<FileHandle> => {
    if (!inFolder(args[0]) || typeof args[1] === "number") return real.open(...args);
    const file = await step(real.open)(...args);
    if (args[1] === "r") return file;
    const half = async (content: unknown) => {
      const bytes = Buffer.from(content as string);
      await FileWrite.call(file, bytes.subarray(0, bytes.length / 2));
    };
    const FileWrite = file.writeFile;
    file.writeFile = step(FileWrite.bind(file), half as never) as typeof file.writeFile;
    file.sync = step(file.sync.bind(file));
    file.chmod = step(file.chmod.bind(file));
    return file;
  };
  Object.assign(fsp, { open });
  for (const name of ["rename", "link", "rm", "mkdir", "chown"] as const) Object.assign(fsp, { [name]: patched(name) });
  syncBuiltinESMExports();
  try {
    await act();
    return false;
  } catch (error) {
    if ((error as { code?: string }).code !== "EIO") throw error;
    return true;
  } finally {
    Object.assign(fsp, real);
    syncBuiltinESMExports();
  }
}

const FILE = ".cursor/mcp.json";
const wish = { name: "", force: true };

/** What an operation begins with, and what it may leave: the old content or the new. */
const OPERATIONS: Record<
  string,
  { begin(app: TestApp): Promise<string>; act(app: TestApp, of: string): Promise<unknown> }
> = {
  connect: {
    begin: async () => "",
    act: (app) => connect(app, "cursor", wish, admin),
  },
  disconnect: {
    begin: async (app) => (await connect(app, "cursor", wish, admin)).backup_path!,
    act: (app) => disconnect(app, "cursor", "", admin),
  },
  undo: {
    begin: async (app) => (await connect(app, "cursor", wish, admin)).backup_path!,
    act: (app, backup) => undo(app, "cursor", { name: "", backup: basename(backup) }, admin),
  },
};

for (const [name, { begin, act }] of Object.entries(OPERATIONS))
  test(`a crash at any step of a ${name} leaves the old file or the new one, and every copy whole`, async () => {
    const outcomes = new Set<string>();
    for (let n = 1; ; n++) {
      assert.ok(n < 60);
      const died = await withHome({}, async (app, home) => {
        const file = home.put(FILE, CURSOR);
        const of = await begin(app);
        const old = readFileSync(file, "utf8");
        const dead = await dyingAt(n, dirname(file), () => act(app, of));
        const now = readFileSync(file, "utf8");
        const isOld = now === old;
        if (!isOld) assert.equal(now.includes("mcpproxy"), !old.includes("mcpproxy"), `step ${n}: ${now}`);
        if (!isOld) assert.doesNotThrow(() => parse("json", now));
        outcomes.add(isOld ? "old" : "new");
        for (const copy of readdirSync(dirname(file)).filter((f) => f.startsWith("mcp.json.bak.")))
          assert.ok([old, CURSOR].includes(readFileSync(join(dirname(file), copy), "utf8")), `step ${n}: ${copy}`);
        // Whatever was left behind, the next attempt works.
        if (dead) await connect(app, "cursor", wish, admin);
        return dead;
      });
      if (!died) break;
    }
    assert.deepEqual([...outcomes].sort(), ["new", "old"]);
  });

test("a crash while a file is made leaves none or a whole one", async () => {
  const outcomes = new Set<string>();
  for (let n = 1; ; n++) {
    const died = await withHome({}, async (app, home) => {
      const file = join(home.path, FILE);
      const dead = await dyingAt(n, home.path, () => connect(app, "cursor", wish, admin));
      if (existsSync(file)) assert.ok("mcpproxy" in JSON.parse(readFileSync(file, "utf8")).mcpServers);
      outcomes.add(existsSync(file) ? "new" : "old");
      return dead;
    });
    if (!died) break;
  }
  assert.deepEqual([...outcomes].sort(), ["new", "old"]);
});

test("a client that writes at the same moment wins: nothing of it is lost", (t) =>
  withHome({}, async (app, home) => {
    const file = home.put(FILE, CURSOR);
    const real = fsp.link;
    t.mock.method(fsp, "link", async (...args: Parameters<typeof real>) => {
      await real(...args);
      // Right behind the copy, before the file is replaced.
      await fsp.writeFile(file, `${CURSOR}\n`);
    });
    syncBuiltinESMExports();
    try {
      await assert.rejects(connect(app, "cursor", wish, admin), { code: "connect_conflict" });
    } finally {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    }
    assert.equal(readFileSync(file, "utf8"), `${CURSOR}\n`);
  }));
