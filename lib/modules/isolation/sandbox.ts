import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import type { Bind } from "./extra-args.ts";
import { isWithin } from "./isolation-breach.ts";
import type { SandboxTools } from "./sandbox-tools.ts";

/** What a sandboxed process can access on this machine. */
export interface Reach {
  readonly command: string;
  readonly args: readonly string[];
  /** Home folder of the user who runs the proxy; hidden. */
  readonly home: string;
  /** The folder that is mounted in its place, persistent for this server. */
  readonly ownHome: string;
  /** Further hidden folders: the proxy's own data. */
  readonly hidden: readonly string[];
  /** The server's working directory, writable. */
  readonly workingDir: string | undefined;
  /** Folders shared by `extra_args`, writable unless their options say otherwise. */
  readonly shared: readonly Bind[];
  /** Initial working directory. */
  readonly startIn: string;
  /** Programs and their folders inside hidden folders, readable. */
  readonly programs: readonly string[];
  /** Sockets of container engines, which are never accessible. */
  readonly sockets: readonly string[];
  readonly network: boolean;
}

/** Folders of the operating system; other folders at the root can belong to users. */
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  "/nix",
  "/gnu",
  "/snap",
];

/** Further folders that programs read, or share without harm. */
const FURTHER = ["/sys/devices/system", "/sys/fs/cgroup", "/var/cache/fontconfig", "/var/lib/ca-certificates"];

const MIB = 2 ** 20;
/** Private in-memory folders, empty at the start, with the maximum size of each. */
const EMPTY = [
  ["/tmp", 512 * MIB],
  ["/var/tmp", 64 * MIB],
  ["/run", 16 * MIB],
  ["/dev/shm", 64 * MIB],
] as const;

/** Folders that name resolution uses on many systems. */
const RESOLVER = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"];

/**
 * Command line of bubblewrap. The process sees only the operating system's folders, read-only, and a home of its own.
 * It has no capabilities, sees no other processes, has no network unless allowed, and ends with the proxy.
 */
export function bubblewrap({ path, modern }: Pick<SandboxTools, "path" | "modern">, reach: Reach): string[] {
  const { home, ownHome, hidden, workingDir, shared, startIn, programs, network, command, args } = reach;
  const visible = (...places: readonly string[]) => places.flatMap((place) => ["--ro-bind-try", place, place]);
  return [
    path,
    ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"],
    // In a nested namespace it would have capabilities again.
    ...(modern ? ["--disable-userns"] : []),
    ...(network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...visible(...SYSTEM, ...FURTHER),
    ...["--dev", "/dev", "--proc", "/proc"],
    ...EMPTY.flatMap(([folder, bytes]) => [...(modern ? ["--size", String(bytes)] : []), "--tmpfs", folder]),
    ...hidden.filter((folder) => existsSync(folder) && isSystem(folder)).flatMap((folder) => ["--tmpfs", folder]),
    ...["--bind", ownHome, home],
    ...visible(...programs),
    ...(network ? visible(...RESOLVER) : []),
    ...shared.flatMap(({ from, to, options }) => [readOnly(options) ? "--ro-bind" : "--bind", from, to]),
    ...(workingDir !== undefined ? ["--bind", workingDir, workingDir] : []),
    // These contain only the folders above. For root, even without capabilities, the kernel settings in `/proc` would
    // be writable, and they affect the complete machine.
    ...["/proc", "/dev", "/"].flatMap((folder) => ["--remount-ro", folder]),
    ...["--chdir", startIn],
    "--",
    command,
    ...args,
  ];
}

/** Whether a path belongs to the operating system. */
export const isSystem = (path: string) => SYSTEM.some((folder) => isWithin(path, folder));

const readOnly = (options: string) => options.split(",").includes("ro");

/**
 * Profile for macOS's `sandbox-exec`: everything except users' files is readable, and only the declared folders are
 * writable.
 */
export function seatbelt({ home, ownHome, hidden, workingDir, shared, programs, sockets, network }: Reach): string {
  const text = (path: string) => JSON.stringify(path);
  const pathsWith = (fixed: boolean) =>
    shared.filter(({ options }) => readOnly(options) === fixed).map(({ from }) => from);
  const writable = [ownHome, ...(workingDir !== undefined ? [workingDir] : []), ...pathsWith(false), ...SCRATCH];
  return [
    "(version 1)",
    "(allow default)",
    ...(network ? sockets.map((path) => `(deny network-outbound (literal ${text(path)}))`) : ["(deny network*)"]),
    // A program that it controls by Apple events would not be limited by this profile.
    "(deny appleevent-send)",
    "(deny lsopen)",
    "(deny file-write*)",
    `(allow file-write* (literal "/dev/null") (literal "/dev/tty") ${writable.map((p) => `(subpath ${text(p)})`).join(" ")})`,
    `(deny file-read* ${[home, ...hidden, "/Volumes"].map((p) => `(subpath ${text(p)})`).join(" ")})`,
    `(allow file-read* ${[...writable, ...pathsWith(true), ...programs].map((p) => `(subpath ${text(p)})`).join(" ")})`,
  ].join("\n");
}

const SCRATCH = ["/private/tmp", "/private/var/folders"];

/**
 * The parts of hidden folders that a command needs, such as those of a version manager: folders on the proxy's PATH,
 * and the folder of the command's file before and after resolving links. The PATH of the server's entry is only used to
 * find the file; its folders do not become visible.
 *
 * @param env the environment of the process
 * @param path the proxy's own PATH
 * @param refused whether a folder must not become visible as a whole
 */
export function programsOf(
  command: string,
  env: Readonly<Record<string, string>>,
  path: string,
  refused: (folder: string) => boolean,
): string[] {
  const folders = (text: string) => text.split(delimiter).filter((folder) => folder !== "" && existsSync(folder));
  const file = command.includes(sep)
    ? command
    : folders(env.PATH ?? "")
        .map((folder) => join(folder, command))
        .find(existsSync);
  const real = file !== undefined && existsSync(file) ? realpathSync(file) : undefined;
  const own =
    file === undefined || real === undefined ? [] : [place(file, dirname(file)), place(real, installed(real))];
  return [...new Set([...folders(path).filter((folder) => !refused(folder)), ...own])].filter((one) => !isSystem(one));

  /** Only the file, if its folder contains more than programs. */
  function place(program: string, folder: string): string {
    return refused(folder) ? program : folder;
  }

  /**
   * The installation folder of a program: `…/node/v24/bin` belongs to `…/node/v24`, but `~/.local/bin` only to a home
   * folder.
   */
  function installed(program: string): string {
    const folder = dirname(program);
    const above = dirname(folder);
    const shared = above.endsWith(`${sep}.local`) || dirname(above) === above || refused(above);
    return /^s?bin$/.test(folder.slice(above.length + 1)) && !shared ? above : folder;
  }
}
