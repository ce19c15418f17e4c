import assert from "node:assert/strict";
import { resolve } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";

let nix: (url: string, digest: Buffer) => string;
let scoop: (url: string, sha256: string) => string;
let winget: (url: string, sha256: string) => Record<string, string>;
before(async () => {
  const load = (file: string) => import(pathToFileURL(resolve(`build/package/${file}.mjs`)).href);
  ({ nix } = await load("nix"));
  ({ scoop, winget } = await load("windows"));
});

const URL_OF_ZIP = "https://releases.example/proxy-win-x64.zip";
const HASH = "ab".repeat(32);

test("winget's manifests are YAML, and name the archive, its hash and the program in it", () => {
  const manifests = Object.values(winget(URL_OF_ZIP, HASH)).map((text) => parse(text));
  const installer = manifests.find(({ ManifestType }) => ManifestType === "installer");

  assert.deepEqual(manifests.map(({ ManifestType }) => ManifestType).sort(), ["defaultLocale", "installer", "version"]);
  assert.equal(new Set(manifests.map(({ PackageIdentifier }) => PackageIdentifier)).size, 1);
  assert.deepEqual(installer.Installers, [
    { Architecture: "x64", InstallerUrl: URL_OF_ZIP, InstallerSha256: HASH.toUpperCase() },
  ]);
  assert.match(installer.NestedInstallerFiles[0].RelativeFilePath, /^proxy-.+-win-x64\\bin\\proxy\.exe$/);
});

test("Scoop's manifest names the archive, its hash and the program in it", () => {
  const { architecture, bin } = JSON.parse(scoop(URL_OF_ZIP, HASH));

  assert.equal(architecture["64bit"].url, URL_OF_ZIP);
  assert.equal(architecture["64bit"].hash, HASH);
  assert.equal(bin, "bin\\proxy.exe");
});

test("the Nix package names the npm package and its hash", () => {
  const text = nix("https://releases.example/proxy.tgz", Buffer.from(HASH, "hex"));

  assert.ok(text.includes('url = "https://releases.example/proxy.tgz";'));
  assert.ok(text.includes(`hash = "sha256-${Buffer.from(HASH, "hex").toString("base64")}";`));
  assert.ok(text.includes("$" + "{lib.getExe nodejs_24}"));
});
