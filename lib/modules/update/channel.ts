import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBoundedFile } from "../../core/base/file.ts";
import type { InstallChannel } from "./updates.ts";

/** Where the program runs from. */
interface Installation {
  /** The running executable. */
  execPath: string;
  platform: NodeJS.Platform;
  /** It is one file with the program in it, not Node with a script. */
  single: boolean;
}

/** Name of the file that a package puts beside the executable, or into its share folder: one word, the channel. */
const MARKER = "install-channel";
/** `/usr/share/proxy` for `/usr/bin/proxy`; a copy elsewhere on the machine is not that package's. */
const SHARE = "../share/proxy";

const WORDS: readonly InstallChannel[] = [
  "pkgmgr",
  "dmg",
  "deb",
  "rpm",
  "container",
  "go-install",
  "windows-installer",
  "tarball",
];

/**
 * How the program was installed: what its package says, else what its place says (spec 000 §2.7). Never fails. The
 * project's container image says so like a package; an executable copied into another container is a tarball's.
 */
export async function installChannel(at: Installation): Promise<InstallChannel> {
  const path = resolved(at.execPath);
  for (const folder of [dirname(path), join(dirname(path), SHARE)]) {
    const said = await word(join(folder, MARKER));
    if (said) return said;
  }
  if (!at.single) return "unknown";
  if (/\/(?:Cellar|homebrew|linuxbrew)\//.test(path)) return "pkgmgr";
  if (/\.app\/Contents\//.test(path)) return "dmg";
  return at.platform === "win32" ? "unknown" : "tarball";
}

/** This process. */
export async function installation(): Promise<Installation> {
  const single = await import("node:sea").then(
    (sea) => sea.isSea(),
    () => false,
  );
  return { execPath: process.execPath, platform: process.platform, single };
}

/** A package manager reaches the program through a link. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

async function word(path: string): Promise<InstallChannel | undefined> {
  try {
    const text = (await readBoundedFile(path, 256)).bytes.toString("utf8").trim();
    return WORDS.find((known) => known === text);
  } catch {
    return undefined;
  }
}
