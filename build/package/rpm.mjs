// @ts-check
/** Builds an RPM package with rpmbuild, if it is installed. */
import { execFile, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { epoch, packageVersion } from "../release.mjs";
import { installed, PLACES } from "./tree.mjs";

/** @type {Record<string, string>} */
export const RPM_ARCHITECTURES = { "linux-x64": "x86_64", "linux-arm64": "aarch64" };

export const hasRpmbuild = () => spawnSync("rpmbuild", ["--version"], { stdio: "ignore" }).status === 0;

/**
 * @param {string} target @param {Buffer} executable @param {import("./tree.mjs").Pages} pages
 * @returns {Promise<{ name: string, bytes: Buffer }>}
 */
export async function rpm(target, executable, pages) {
  const work = mkdtempSync(join(tmpdir(), "proxy-rpm-"));
  try {
    return await make(target, executable, pages, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {string} target @param {Buffer} executable @param {import("./tree.mjs").Pages} pages @param {string} work */
async function make(target, executable, pages, work) {
  const tree = join(work, "tree");
  const unit = readFileSync(new URL("mcpproxy.service", import.meta.url));
  const files = await installed({ target, executable, channel: "rpm", pages, places: PLACES.rpm });
  for (const { path, mode, data } of [
    ...files,
    { path: "lib/systemd/system/mcpproxy.service", mode: 0o644, data: unit },
  ]) {
    const to = join(tree, "usr", path);
    mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
    writeFileSync(to, data ?? "");
    chmodSync(to, mode);
    utimesSync(to, epoch(), epoch());
  }
  const architecture = RPM_ARCHITECTURES[target];
  const defines = {
    _topdir: join(work, "top"),
    _tree: tree,
    _version: packageVersion,
    _buildhost: "localhost",
    use_source_date_epoch_as_buildtime: "1",
    clamp_mtime_to_source_date_epoch: "1",
    // All rpm versions in use support it.
    _binary_payload: "w6.gzdio",
    // Debian's rpmbuild has different default paths.
    _prefix: "/usr",
  };
  const flags = Object.entries(defines).flatMap(([name, value]) => ["--define", `${name} ${value}`]);
  const spec = fileURLToPath(new URL("proxy.spec", import.meta.url));
  await promisify(execFile)("rpmbuild", ["-bb", "--quiet", "--target", `${architecture}-linux`, ...flags, spec], {
    env: { PATH: process.env.PATH, HOME: work, SOURCE_DATE_EPOCH: String(epoch()), LC_ALL: "C" },
  });
  const out = join(work, "top/RPMS", architecture ?? "");
  const name = readdirSync(out)[0] ?? "";
  return { name, bytes: readFileSync(join(out, name)) };
}
