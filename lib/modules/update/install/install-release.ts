import { createHash, type KeyObject } from "node:crypto";
import type { Release } from "../releases.ts";
import { archivedProgram } from "./archived-program.ts";
import { releaseSums, SIGNATURE_FILE, SUMS_FILE } from "./release-sums.ts";
import { replaceProgram } from "./replace-program.ts";

/** Largest list of checksums, and largest archive (bytes). */
const MAX_SUMS_BYTES = 1024 * 1024;
const MAX_ARCHIVE_BYTES = 512 * 1024 * 1024;

interface InstallOptions {
  /** The program that is replaced. */
  program: string;
  /** System and processor, such as `linux-x64`. */
  target: string;
  platform: NodeJS.Platform;
  /** The key that signs releases. */
  key: KeyObject;
  /** Downloads an asset. */
  download(url: string, maxBytes: number): Promise<Uint8Array>;
  onStep(what: string): void;
}

/**
 * Downloads a release, verifies the signature of its checksums and the checksum of its archive, and replaces the
 * program.
 *
 * @throws Error that names the step that failed; the program is unchanged then
 */
export async function installRelease(release: Release, options: InstallOptions): Promise<void> {
  const { program, target, platform, key, download, onStep } = options;
  const asset = (name: string) => {
    const url = release.assets.find((one) => one.name === name)?.url;
    if (url === undefined) throw new Error(`release ${release.tag} has no file ${name}`);
    return url;
  };
  const archive = `proxy-${release.tag}-${target}.tar.gz`;
  onStep(`verifying the signature of release ${release.tag}`);
  const read = async (name: string) => Buffer.from(await download(asset(name), MAX_SUMS_BYTES)).toString("utf8");
  const sums = releaseSums(await read(SUMS_FILE), await read(SIGNATURE_FILE), key);
  // The signed name contains the version, so an old release cannot be offered under a new number.
  const expected = sums.get(archive);
  if (expected === undefined) throw new Error(`${SUMS_FILE} of release ${release.tag} has no ${archive}`);
  onStep(`downloading ${archive}`);
  const bytes = await download(asset(archive), MAX_ARCHIVE_BYTES);
  if (createHash("sha256").update(bytes).digest("hex") !== expected)
    throw new Error(`${archive} does not have the signed checksum; nothing was installed`);
  onStep("installing");
  await replaceProgram(program, await archivedProgram(bytes, platform), release.tag);
}
