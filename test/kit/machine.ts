import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Sets up a temporary copy of this machine: namespaces with separate processes, and an overlay over the complete file
 * system. systemd does not run in it.
 */
const SETUP = `
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mount -t tmpfs tmpfs "$1/root/run"
root="$1/root" script="$2"
shift 2
while [ $# -gt 0 ]; do mkdir -p "$root/$1"; mount --bind "$2" "$root/$1"; shift 2; done
exec chroot "$root" sh -e -c "$script"
`;

export interface Told {
  status: number | null;
  /** The `name: value` lines in the script's output. */
  facts: Record<string, string>;
  /** The complete output, for messages. */
  text: string;
}

/** Runs a shell script as root in the copy; `folders` are mounted by name: `{ packages }` as `/packages`. */
export function inCopy(folders: Record<string, string>, script: string): Told {
  const dir = mkdtempSync(join(tmpdir(), "proxy-copy-"));
  try {
    const flags = ["--mount", "--pid", "--fork", "--kill-child"];
    const argv = [...flags, "sh", "-c", SETUP, "sh", dir, script, ...Object.entries(folders).flat()];
    const { status, stdout, stderr } = spawnSync("unshare", argv, {
      encoding: "utf8",
      timeout: 180_000,
      env: { PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", HOME: "/root" },
    });
    const facts = Object.fromEntries(
      [...stdout.matchAll(/^([\w ]+): (.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    return { status, facts, text: `${stdout}\n${stderr}` };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Why no copy can be made on this machine; false if it can. */
export function noCopy(): string | false {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux";
  return inCopy({}, "true").status === 0 ? false : "no right to mount an overlay";
}

/** Whether a command is installed. */
export function has(command: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
}
