import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";

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
  /** Folders of programs inside hidden places, readable. */
  readonly programs: readonly string[];
  readonly network: boolean;
}

/** Folders beside a home that hold people's files, other services' sockets, or mounted disks. */
const PRIVATE = ["/home", "/root", "/mnt", "/media", "/srv", "/run", "/var/tmp", "/tmp"];

/** Names are resolved by what lies here on many systems, and `/run` is hidden. */
const RESOLVER = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"];

/**
 * Command line of bubblewrap: the system read-only, people's files hidden, a home of its own, no capability, no other
 * process in sight, no network unless allowed; it ends with the proxy.
 */
export function bubblewrap(tool: string, reach: Reach): string[] {
  const { home, ownHome, hidden, workingDir, programs, network, command, args } = reach;
  const cover = [...new Set([...PRIVATE, home])].filter((folder) => existsSync(folder));
  return [
    tool,
    ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...cover.flatMap((folder) => ["--tmpfs", folder]),
    ...hidden.filter((folder) => existsSync(folder) && !within(folder, cover)).flatMap((folder) => ["--tmpfs", folder]),
    ...["--bind", ownHome, home],
    ...programs.flatMap((folder) => ["--ro-bind-try", folder, folder]),
    ...(network ? RESOLVER.flatMap((place) => ["--ro-bind-try", place, place]) : []),
    ...(workingDir !== undefined ? ["--bind", workingDir, workingDir, "--chdir", workingDir] : ["--chdir", home]),
    "--",
    command,
    ...args,
  ];
}

const within = (folder: string, outer: readonly string[]) =>
  outer.some((one) => folder === one || folder.startsWith(one + sep));

/** Profile for macOS's `sandbox-exec`: reading is free but for people's files, writing is for the declared folders. */
export function seatbelt({ home, ownHome, hidden, workingDir, programs, network }: Reach): string {
  const text = (path: string) => JSON.stringify(path);
  const writable = [ownHome, ...(workingDir !== undefined ? [workingDir] : []), "/private/tmp", "/private/var/folders"];
  return [
    "(version 1)",
    "(allow default)",
    ...(network ? [] : ["(deny network*)"]),
    "(deny file-write*)",
    `(allow file-write* (literal "/dev/null") (literal "/dev/tty") ${writable.map((p) => `(subpath ${text(p)})`).join(" ")})`,
    `(deny file-read* ${[home, ...hidden, "/Volumes"].map((p) => `(subpath ${text(p)})`).join(" ")})`,
    `(allow file-read* ${[...writable, ...programs].map((p) => `(subpath ${text(p)})`).join(" ")})`,
  ].join("\n");
}

/**
 * Folders a command needs that lie where people's files do, such as a version manager's: those on the PATH, and the
 * place its own file really is in.
 */
export function programFolders(command: string, env: Readonly<Record<string, string>>, home: string): string[] {
  const path = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "" && existsSync(folder));
  const file = command.includes(sep) ? command : path.map((folder) => join(folder, command)).find(existsSync);
  const real = file === undefined || !existsSync(file) ? undefined : realpathSync(file);
  const own = real === undefined ? [] : [installed(dirname(real), home)];
  const concealed = [...PRIVATE, home];
  return [...new Set([...path, ...own])].filter((folder) => within(folder, concealed) && folder !== home);
}

/** `…/node/v24/bin` is a part of `…/node/v24`; `~/.local/bin` is a part of nothing but somebody's home. */
function installed(folder: string, home: string): string {
  const above = dirname(folder);
  const shared = [home, join(home, ".local"), dirname(home), sep];
  return /^s?bin$/.test(folder.slice(above.length + 1)) && !shared.includes(above) ? above : folder;
}
