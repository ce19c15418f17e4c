import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import type { Bind } from "./extra-args.ts";
import { within } from "./isolation-breach.ts";
import type { SandboxTools } from "./sandbox-tools.ts";

/** What a sandboxed process may reach on this machine. */
export interface Reach {
  readonly command: string;
  readonly args: readonly string[];
  /** Of the person who runs the proxy; hidden. */
  readonly home: string;
  /** Stands in its place, and is kept for this server. */
  readonly ownHome: string;
  /** Further folders nobody may look into: the proxy's own data. */
  readonly hidden: readonly string[];
  /** The declared folder, writable. */
  readonly workingDir: string | undefined;
  /** Declared beside it (`extra_args`), writable unless they say otherwise. */
  readonly shared: readonly Bind[];
  /** Where it starts. */
  readonly startIn: string;
  /** Programs and their folders inside hidden places, readable. */
  readonly programs: readonly string[];
  /** Sockets that stay shut whatever is allowed: of container engines. */
  readonly sockets: readonly string[];
  readonly network: boolean;
}

/** The system itself; whatever else lies at the root is somebody's. */
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

/** What programs ask about the machine, and what they share without harm. */
const FURTHER = ["/sys/devices/system", "/sys/fs/cgroup", "/var/cache/fontconfig", "/var/lib/ca-certificates"];

const MIB = 2 ** 20;
/** In memory, empty, for itself, and how large each may grow. */
const EMPTY = [
  ["/tmp", 512 * MIB],
  ["/var/tmp", 64 * MIB],
  ["/run", 16 * MIB],
  ["/dev/shm", 64 * MIB],
] as const;

/** Names are resolved by what lies here on many systems. */
const RESOLVER = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"];

/**
 * Command line of bubblewrap: of this machine the system alone, read-only; a home of its own, no capability, no other
 * process in sight, no network unless allowed; it ends with the proxy.
 */
export function bubblewrap({ path, modern }: Pick<SandboxTools, "path" | "modern">, reach: Reach): string[] {
  const { home, ownHome, hidden, workingDir, shared, startIn, programs, network, command, args } = reach;
  const visible = (...places: readonly string[]) => places.flatMap((place) => ["--ro-bind-try", place, place]);
  return [
    path,
    ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"],
    // In a namespace of its own it would have capabilities again.
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
    // They hold nothing but the places above. To root, though without capabilities, the kernel's own settings in `/proc`
    // would be open: they are the whole machine's.
    ...["/proc", "/dev", "/"].flatMap((folder) => ["--remount-ro", folder]),
    ...["--chdir", startIn],
    "--",
    command,
    ...args,
  ];
}

/** What the system shows everybody. */
export const isSystem = (path: string) => SYSTEM.some((folder) => within(path, folder));

const readOnly = (options: string) => options.split(",").includes("ro");

/** Profile for macOS's `sandbox-exec`: reading is free but for people's files, writing is for the declared folders. */
export function seatbelt({ home, ownHome, hidden, workingDir, shared, programs, sockets, network }: Reach): string {
  const text = (path: string) => JSON.stringify(path);
  const given = (fixed: boolean) => shared.filter(({ options }) => readOnly(options) === fixed).map(({ from }) => from);
  const writable = [ownHome, ...(workingDir !== undefined ? [workingDir] : []), ...given(false), ...SCRATCH];
  return [
    "(version 1)",
    "(allow default)",
    ...(network ? sockets.map((path) => `(deny network-outbound (literal ${text(path)}))`) : ["(deny network*)"]),
    // What another program does for it is not held to this profile.
    "(deny appleevent-send)",
    "(deny lsopen)",
    "(deny file-write*)",
    `(allow file-write* (literal "/dev/null") (literal "/dev/tty") ${writable.map((p) => `(subpath ${text(p)})`).join(" ")})`,
    `(deny file-read* ${[home, ...hidden, "/Volumes"].map((p) => `(subpath ${text(p)})`).join(" ")})`,
    `(allow file-read* ${[...writable, ...given(true), ...programs].map((p) => `(subpath ${text(p)})`).join(" ")})`,
  ].join("\n");
}

const SCRATCH = ["/private/tmp", "/private/var/folders"];

/**
 * What a command needs of places that are hidden, such as a version manager's: folders on the proxy's own PATH, and
 * where its own file lies and really is. The PATH of its entry only finds it: a folder is not shown for standing there.
 *
 * @param env what it is started with
 * @param path the proxy's own PATH
 * @param refused whether a folder may not be shown as a whole
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

  /** The file alone, where its folder holds more than programs. */
  function place(program: string, folder: string): string {
    return refused(folder) ? program : folder;
  }

  /** `…/node/v24/bin` is a part of `…/node/v24`; `~/.local/bin` is a part of nothing but somebody's home. */
  function installed(program: string): string {
    const folder = dirname(program);
    const above = dirname(folder);
    const shared = above.endsWith(`${sep}.local`) || dirname(above) === above || refused(above);
    return /^s?bin$/.test(folder.slice(above.length + 1)) && !shared ? above : folder;
  }
}
