import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBoundedFile } from "../../core/base/file.ts";
import type { InstallChannel } from "./updates.ts";

/** How the program was started. */
interface Installation {
  /** The running executable. */
  execPath: string;
  platform: NodeJS.Platform;
  /** Whether the program is a single executable rather than Node with a script. */
  single: boolean;
}

/**
 * Name of the file that a package installs beside the executable or in its share folder. It contains one word, the
 * channel.
 */
const MARKER = "install-channel";
/**
 * The share folder relative to the executable: `/usr/share/proxy` for `/usr/bin/proxy`. A copy elsewhere does not
 * belong to the package.
 */
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
 * Determines how the program was installed: by its package's file, or else by its path (spec 000 §2.7). Never fails.
 * The project's container image has such a file; an executable in any other container counts as a tarball.
 */
export async function installChannel(at: Installation): Promise<InstallChannel> {
  const path = resolved(at.execPath);
  for (const folder of [dirname(path), join(dirname(path), SHARE)]) {
    const markerText = await word(join(folder, MARKER));
    if (markerText) return markerText;
  }
  if (!at.single) return "unknown";
  if (/\/(?:Cellar|homebrew|linuxbrew)\//.test(path)) return "pkgmgr";
  if (/\.app\/Contents\//.test(path)) return "dmg";
  return at.platform === "win32" ? "unknown" : "tarball";
}

/** The installation of this process. */
export async function installation(): Promise<Installation> {
  const single = await import("node:sea").then(
    (sea) => sea.isSea(),
    () => false,
  );
  return { execPath: process.execPath, platform: process.platform, single };
}

/** Resolves links, because package managers start the program through one. */
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
    return WORDS.find((channel) => channel === text);
  } catch {
    return undefined;
  }
}
