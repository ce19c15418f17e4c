// @ts-check
/**
 * `npm run package [-- --target linux-x64,… --url https://… --out folder]`: builds all packages of all targets, or of
 * the named ones, in dist/packages. `--url` is the base URL of the published tarballs, for the Homebrew formula.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { binary, executablePath } from "./binary.mjs";
import { aptRepository } from "./package/apt.mjs";
import { formula } from "./package/brew.mjs";
import { ARCHITECTURES, deb } from "./package/deb.mjs";
import { dnfRepository, hasCreaterepo } from "./package/dnf.mjs";
import { image } from "./package/image.mjs";
import { mcpb } from "./package/mcpb.mjs";
import { nix } from "./package/nix.mjs";
import { npmPackage } from "./package/npm.mjs";
import { hasRpmbuild, rpm } from "./package/rpm.mjs";
import { sbom } from "./package/sbom.mjs";
import { tarball, zipArchive } from "./package/tarball.mjs";
import { pages } from "./package/tree.mjs";
import { scoop, winget } from "./package/windows.mjs";
import { version } from "./release.mjs";
import { signRelease } from "./sign.mjs";
import { TARGETS } from "./targets.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const digest = (/** @type {Buffer} */ b) => createHash("sha256").update(b).digest();
const sha256 = (/** @type {Buffer} */ b) => digest(b).toString("hex");

/**
 * @param {{ targets: string[], out: string, url?: string | undefined, built?: boolean }} wish built: use the existing
 * executables
 */
export async function makePackages({ targets, out, url, built = false }) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const texts = await pages();
  /** @type {{ name: string, bytes: Buffer }[]} */
  const made = [];
  /** @type {Map<string, string>} */
  const hashes = new Map();
  /** @type {import("./package/apt.mjs").Package[]} */
  const debs = [];
  const base = (url ?? pathToFileURL(out).href).replace(/\/$/, "");
  const write = (/** @type {string} */ path, /** @type {Buffer} */ bytes) => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), bytes);
  };
  const put = (/** @type {{ name: string, bytes: Buffer }} */ one) => {
    write(one.name, one.bytes);
    made.push(one);
    console.error(`${one.name} (${(one.bytes.length / 1e6).toFixed(1)} MB)`);
  };
  for (const target of targets) {
    const path = executablePath(target);
    if (!built || !existsSync(path)) await binary(target);
    for (const one of await Promise.all(kinds(target, readFileSync(path), texts))) {
      if (one === undefined) continue;
      if (one.name.endsWith(".tar.gz")) hashes.set(target, sha256(one.bytes));
      if ("control" in one) debs.push(one);
      if (one.name.endsWith(".rpm")) write(`dnf/${one.name}`, one.bytes);
      put(one);
      if (!one.name.endsWith(".zip")) continue;
      const from = `${base}/${one.name}`;
      put({ name: "proxy.scoop.json", bytes: Buffer.from(scoop(from, sha256(one.bytes))) });
      for (const [name, text] of Object.entries(winget(from, sha256(one.bytes))))
        write(`winget/${name}`, Buffer.from(text));
    }
  }
  for (const { path, bytes } of aptRepository(debs)) write(`apt/${path}`, bytes);
  if (existsSync(join(out, "dnf")))
    if (hasCreaterepo()) dnfRepository(join(out, "dnf"));
    else console.error("no createrepo_c here: the folder dnf has no metadata");
  put({ name: "proxy.rb", bytes: Buffer.from(formula(hashes, base)) });
  const npm = await npmPackage();
  put(npm);
  put({ name: "proxy.nix", bytes: Buffer.from(nix(`${base}/${npm.name}`, digest(npm.bytes))) });
  put(await mcpb());
  put({ name: `proxy-${version}.cdx.json`, bytes: Buffer.from(await sbom(targets, made)) });
  const sums = [...made].sort((a, b) => (a.name < b.name ? -1 : 1)).map((m) => `${sha256(m.bytes)}  ${m.name}\n`);
  writeFileSync(join(out, "SHA256SUMS"), sums.join(""));
  if (process.env.PROXY_SIGNING_KEY) signRelease(out, process.env.PROXY_SIGNING_KEY);
}

/**
 * The packages of a target that can be built on this machine.
 * @param {string} target @param {Buffer} executable @param {import("./package/tree.mjs").Pages} texts
 * @returns {Promise<import("./package/apt.mjs").Package | { name: string, bytes: Buffer } | undefined>[]}
 */
function kinds(target, executable, texts) {
  const plain = tarball(target, executable, texts);
  if (target.startsWith("win")) return [plain, zipArchive(target, executable, texts)];
  if (!ARCHITECTURES[target]) return [plain];
  if (!hasRpmbuild()) console.error(`no rpmbuild here: no RPM package for ${target}`);
  return [
    plain,
    deb(target, executable, texts),
    ...(hasRpmbuild() ? [rpm(target, executable, texts)] : []),
    image(target, executable, texts).catch((error) => {
      console.error(`no image for ${target}: ${error.message}`);
      return undefined;
    }),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      target: { type: "string" },
      url: { type: "string" },
      out: { type: "string" },
      built: { type: "boolean" },
    },
  });
  await makePackages({
    targets: values.target?.split(",") ?? Object.keys(TARGETS),
    out: resolve(values.out ?? join(root, "dist/packages")),
    url: values.url,
    built: values.built ?? false,
  });
}
