import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { installRelease } from "#lib/modules/update/install/install-release.ts";
import { managedBy } from "#lib/modules/update/install/managed-by.ts";
import { releaseIndex } from "#lib/modules/update/install/release-index.ts";
import { previousPath, rollBackProgram } from "#lib/modules/update/install/replace-program.ts";
import { folder } from "#test/kit/program.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const KEY = publicKey.export({ type: "spki", format: "der" }).toString("base64");
const program = (version: string) => `#!/bin/sh\necho ${version}\n`;

/** One file in a POSIX archive, as `tar` writes it. */
function archive(path: string, text: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write("0000755\0", 100);
  header.write(`${Buffer.byteLength(text).toString(8).padStart(11, "0")}\0`, 124);
  header.write("0", 156);
  const data = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
  data.write(text);
  return gzipSync(Buffer.concat([header, data, Buffer.alloc(1024)]));
}

interface Published {
  version?: string;
  /** What the archive's program prints; by default its version. */
  prints?: string;
  /** Changes the files before they are served. */
  tamper?(files: Map<string, Buffer>): void;
}

/** Publishes one release on a local server, with a real signature, and returns the folder of an installed program. */
async function published(t: TestContext, { version = "9.1.0", prints = version, tamper }: Published = {}) {
  const name = `proxy-${version}-linux-x64.tar.gz`;
  const bytes = archive(`proxy-${version}-linux-x64/bin/proxy`, program(prints));
  const sums = `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;
  const signature = sign(null, Buffer.from(sums), privateKey).toString("base64");
  const files = new Map([
    [name, bytes],
    ["SHA256SUMS", Buffer.from(sums)],
    ["SHA256SUMS.sig", Buffer.from(`${signature}\n`)],
  ]);
  tamper?.(files);
  const server = createServer((request, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const assets = [...files.keys()].map((name) => ({ name, browser_download_url: `${base}/${name}` }));
    const file = files.get(request.url?.slice(1) ?? "");
    if (request.url === "/index") response.end(JSON.stringify([{ tag_name: `v${version}`, assets }]));
    else if (file) response.end(file);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  t.after(() => server.close());
  const dir = folder(t);
  const installed = join(dir, "proxy");
  writeFileSync(installed, program("9.0.0"), { mode: 0o755 });
  const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index`;
  const settings = { source, publicKey: KEY, channel: "stable", allowed: [], configPath: join(dir, "none.json") };
  const index = await releaseIndex(settings, { env: {}, signal: new AbortController().signal });
  const upgrade = async (to?: string) => {
    const release = index.choose({ version: "9.0.0", to });
    if (!release) return undefined;
    const { key, download } = index;
    const options = { program: installed, platform: "linux", target: "linux-x64", key: key(), download } as const;
    await installRelease(release, { ...options, onStep() {} });
    return release.tag;
  };
  return { dir, installed, index, upgrade };
}

test("a signed release replaces the program, which stays beside it and can be put back", async (t) => {
  const { dir, installed, upgrade } = await published(t);

  assert.equal(await upgrade(), "9.1.0");
  assert.equal(readFileSync(installed, "utf8"), program("9.1.0"));
  assert.equal(statSync(installed).mode & 0o777, 0o755);
  assert.equal(readFileSync(previousPath(installed), "utf8"), program("9.0.0"));

  assert.equal(await rollBackProgram(installed), "9.0.0");
  assert.equal(readFileSync(installed, "utf8"), program("9.0.0"));
  assert.equal(readFileSync(previousPath(installed), "utf8"), program("9.1.0"));
  assert.deepEqual(readdirSync(dir).sort(), ["proxy", "proxy.previous"]);
});

const other = generateKeyPairSync("ed25519");
const REFUSED: [title: string, published: Published, message: RegExp][] = [
  [
    "an archive with other bytes",
    { tamper: (files) => files.set("proxy-9.1.0-linux-x64.tar.gz", archive("x/bin/proxy", `${program("9.1.0")}#`)) },
    /does not have the signed checksum/,
  ],
  [
    "checksums with another signature",
    {
      tamper: (files) =>
        files.set(
          "SHA256SUMS.sig",
          Buffer.from(sign(null, files.get("SHA256SUMS")!, other.privateKey).toString("base64")),
        ),
    },
    /signature of SHA256SUMS is invalid/,
  ],
  [
    "changed checksums",
    { tamper: (files) => files.set("SHA256SUMS", Buffer.concat([files.get("SHA256SUMS")!, Buffer.from("\n")])) },
    /signature of SHA256SUMS is invalid/,
  ],
  ["no signature", { tamper: (files) => files.delete("SHA256SUMS.sig") }, /has no file SHA256SUMS\.sig/],
  ["a program with another version", { prints: "8.0.0" }, /reports version "8\.0\.0" instead of 9\.1\.0/],
  ["a program that does not run", { prints: "9.1.0; exit 1" }, /does not run/],
];
for (const [title, wish, message] of REFUSED)
  test(`${title} is refused, and the program stays`, async (t) => {
    const { dir, installed, upgrade } = await published(t, wish);

    await assert.rejects(upgrade(), message);

    assert.equal(readFileSync(installed, "utf8"), program("9.0.0"));
    assert.deepEqual(readdirSync(dir).sort(), ["proxy"]);
  });

test("an old release under a new number is refused by its signed name", async (t) => {
  const { upgrade } = await published(t, {
    tamper(files) {
      const sums = `${"0".repeat(64)}  proxy-8.0.0-linux-x64.tar.gz\n`;
      files.set("SHA256SUMS", Buffer.from(sums));
      files.set("SHA256SUMS.sig", Buffer.from(sign(null, Buffer.from(sums), privateKey).toString("base64")));
    },
  });

  await assert.rejects(upgrade(), /has no proxy-9\.1\.0-linux-x64\.tar\.gz/);
});

test("nothing newer is no release; a named version may be older, and an unknown one is an error", async (t) => {
  const { index, upgrade } = await published(t);

  assert.equal(index.choose({ version: "9.1.0", to: undefined }), undefined);
  assert.equal(index.choose({ version: "10.0.0", to: "v9.1.0" })?.tag, "9.1.0");
  await assert.rejects(async () => upgrade("7.0.0"), /version 7\.0\.0 is not in the release index/);
});

test("a roll-back without a previous program is an error that changes nothing", async (t) => {
  const installed = join(folder(t), "proxy");
  writeFileSync(installed, program("9.0.0"), { mode: 0o755 });

  await assert.rejects(rollBackProgram(installed), /no previous program/);

  assert.ok(existsSync(installed));
});

const MANAGED: [channel: Parameters<typeof managedBy>[0], path: string, isSingle: boolean, name: string | undefined][] =
  [
    ["deb", "/usr/bin/proxy", true, "APT"],
    ["rpm", "/usr/bin/proxy", true, "DNF"],
    ["pkgmgr", "/opt/homebrew/Cellar/proxy/1/bin/proxy", true, "Homebrew"],
    ["container", "/usr/bin/proxy", true, "the container engine"],
    ["tarball", "/nix/store/x-proxy/bin/proxy", true, "Nix"],
    ["unknown", "C:\\Users\\me\\scoop\\apps\\proxy\\proxy.exe", true, "Scoop"],
    ["unknown", "/usr/lib/node_modules/proxy/proxy.cjs", false, "npm"],
    ["unknown", "/home/me/src/proxy/dist/proxy.cjs", false, "Git"],
    ["tarball", "/usr/local/bin/proxy", true, undefined],
    ["unknown", "C:\\tools\\proxy.exe", true, undefined],
  ];
test("a program that a package manager installed is left to it", () => {
  for (const [channel, path, isSingle, name] of MANAGED)
    assert.equal(managedBy(channel, path, isSingle)?.name, name, path);
});
