import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { noExecutable } from "#test/kit/executable.ts";
import { folder, startCommand } from "#test/kit/program.ts";
import { blobOf, machO } from "./blob.ts";

/** Set by whoever injects: Node looks for a blob only then. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1";
/** Where the loader has the position of the embedded files. */
const POSITION = /"(\d+) +"/;
const MAGIC = 0x0143da20;

const HOST = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const OTHERS = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64", "win-x64"].filter((name) => name !== HOST);
/** `PROXY_TEST_CROSS=1` builds for every other platform too, or for those named; each takes some 15 s. */
const wanted = process.env.PROXY_TEST_CROSS ?? "";
const notWanted = (name: string) =>
  noExecutable ||
  (wanted === "1" || wanted.split(",").includes(name) ? false : `not asked for: PROXY_TEST_CROSS=${name}`);

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function build(t: TestContext, target: string, ...flags: string[]): string {
  const out = join(folder(t), "proxy");
  const made = spawnSync(process.execPath, ["build/binary.mjs", "--target", target, "--out", out, ...flags], {
    encoding: "utf8",
  });
  assert.equal(made.status, 0, made.stderr);
  return out;
}

/** What holds for the executable of every platform. */
function whole(file: Buffer): void {
  const blob = blobOf(file);

  assert.equal(file.indexOf(FUSE) >= 0, true, "the fuse is set");
  assert.equal(file.indexOf(FUSE.replace(/1$/, "0")), -1, "no fuse is left unset");
  assert.equal(blob.readUInt32LE(0), MAGIC);
  assert.equal(file.includes(resolve(".")), false, "no path of the machine that built it");
  for (const name of readdirSync("dist/assets").filter((f) => !f.endsWith(".tmp"))) {
    assert.ok(blob.includes(name), name);
    assert.ok(blob.includes(readFileSync(join("dist/assets", name))), `the bytes of ${name}`);
  }
  assert.ok(blob.includes("proxy.cjs") && blob.includes("keyring.node"));
  const position = Number(POSITION.exec(blob.toString("latin1", 0, 10_000))?.[1]);
  const id = file.toString("latin1", position, position + 64);
  assert.match(id, /^[0-9a-f]{64}$/);
  assert.ok(blob.includes(`"${id}"`), "the loader has the position of the embedded files, and what is there");
}

test("the executable holds everything and has been told so", { skip: noExecutable }, () => {
  whole(readFileSync(process.env.PROXY_EXECUTABLE!));
});

test("an executable whose bytes have moved finds its embedded files in mapped memory", { skip: noExecutable }, (t) => {
  const moved = join(folder(t), "proxy");
  copyFileSync(process.env.PROXY_EXECUTABLE!, moved);
  const bytes = readFileSync(moved);
  const [text = "", digits = ""] = POSITION.exec(blobOf(bytes).toString("latin1", 0, 10_000)) ?? [];
  bytes.write(String(Number(digits) - 1), bytes.indexOf(text) + text.indexOf(digits), "latin1");
  writeFileSync(moved, bytes);

  const { stdout, stderr } = spawnSync(moved, ["--help"], { encoding: "utf8", env: { PROXY_CHECK_CODE_CACHE: "1" } });

  assert.match(stdout, /^proxy: one safe, fast endpoint/);
  assert.equal(stderr, "code cache: accepted\n");
});

test("built twice from the same sources, it has the same bytes", { skip: noExecutable }, (t) => {
  const [one, other] = [build(t, HOST, "--no-code-cache"), build(t, HOST, "--no-code-cache")];

  assert.equal(sha256(readFileSync(one)), sha256(readFileSync(other)));
});

const checks: Record<string, (file: Buffer, path: string, t: TestContext) => unknown> = {
  "linux-x64": elf(62),
  "linux-arm64": async (file, path, t) => {
    elf(183)(file);
    await emulated(path, t);
  },
  "darwin-arm64": signed,
  "darwin-x64": signed,
  "win-x64"(file) {
    const head = file.readUInt32LE(0x3c);
    const certificates = head + 24 + 112 + 4 * 8;

    assert.equal(file.readUInt16LE(head + 4), 0x8664);
    assert.equal(file.readBigUInt64LE(certificates), 0n, "no signature that no longer holds");
  },
};

for (const name of OTHERS)
  test(`the executable for ${name} is whole`, { skip: notWanted(name) }, async (t) => {
    const path = build(t, name);
    const file = readFileSync(path);

    whole(file);
    await checks[name]!(file, path, t);
  });

function elf(machine: number) {
  return (file: Buffer) => {
    assert.deepEqual([file[4], file.readUInt16LE(18)], [2, machine]);
    assert.equal(file.includes(".symtab\0"), false, "symbols were stripped");
  };
}

/** An ad-hoc signature as the kernel checks it: a hash of every page, and nothing outside. */
function signed(b: Buffer): void {
  const { signature, parts } = machO(b);
  assert.ok(signature);
  const linkedit = parts.get("__LINKEDIT")!;
  assert.equal(signature.offset + signature.size, b.length);
  assert.equal(linkedit.offset + linkedit.size, b.length);
  const super_ = b.subarray(signature.offset);
  assert.equal(super_.readUInt32BE(0), 0xfade0cc0);
  const directory = super_.subarray(super_.readUInt32BE(16));
  assert.deepEqual([directory.readUInt32BE(0), directory.readUInt32BE(12)], [0xfade0c02, 2]);
  const [hashes, slots, limit] = [16, 28, 32].map((at) => directory.readUInt32BE(at)) as [number, number, number];
  const page = 2 ** directory[39]!;
  assert.deepEqual([limit, slots], [signature.offset, Math.ceil(limit / page)]);
  for (let i = 0; i < slots; i++) {
    const wanted = directory.subarray(hashes + i * 32, hashes + i * 32 + 32);
    const found = createHash("sha256")
      .update(b.subarray(i * page, Math.min(limit, (i + 1) * page)))
      .digest();
    assert.ok(found.equals(wanted), `page ${i}`);
  }
}

/** Really run, where there is an emulator. */
async function emulated(path: string, t: TestContext): Promise<void> {
  const under = ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu", path];
  const libraries = existsSync("/usr/aarch64-linux-gnu/lib/libstdc++.so.6");
  if (spawnSync(under[0]!, ["--version"]).status !== 0 || !libraries)
    return t.diagnostic("not run: no qemu-aarch64-static with the libraries of Debian's libstdc++6-arm64-cross");
  const run = (...argv: string[]) => startCommand(t, [...under, ...argv], { env: { HOME: folder(t) } });

  const { out } = await run("--version").ended;
  const serving = run("serve", "--listen", "127.0.0.1:0");
  const [, url = ""] = await serving.says(/MCP endpoint\s+(http:\S+)\/mcp\n/);
  const healthy = await (await fetch(`${url}/healthz`)).json();
  serving.child.kill("SIGTERM");

  assert.match(out, /^\d+\.\d+\.\d+\n$/);
  assert.deepEqual(healthy, { status: "ok" });
  assert.equal((await serving.ended).code, 0);
}
