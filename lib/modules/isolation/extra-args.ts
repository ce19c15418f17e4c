/** A folder of this machine, or a volume, mounted inside the container. */
export interface Bind {
  /** A path of this machine, or the name of a volume. */
  readonly from: string;
  readonly to: string;
  /** Mount options in the engine's syntax, such as `ro`; empty for none. */
  readonly options: string;
}

/** The settings of a container that extra arguments request, in the engine's terms. */
export interface Extra {
  binds: Bind[];
  env: string[];
  addHosts: string[];
  dns: string[];
  tmpfs: Record<string, string>;
  labels: Record<string, string>;
  network?: string;
  user?: string;
  workingDir?: string;
  entrypoint?: string;
  shmBytes?: string;
  platform?: string;
  /** Makes the root writable, for images that need it. */
  writableRoot?: true;
}

type Take = (extra: Extra, value: string) => void;

const pair = (text: string): [string, string] => {
  const at = text.search(/[=:]/);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
};

/** The supported flags of `docker run`; each has a value. */
const SUPPORTED_FLAGS: Readonly<Record<string, Take>> = {
  "--volume": (extra, value) => extra.binds.push(bind(value)),
  "--env": (extra, value) => extra.env.push(value),
  "--add-host": (extra, value) => extra.addHosts.push(value),
  "--dns": (extra, value) => extra.dns.push(value),
  "--tmpfs": (extra, value) => {
    const [path, options] = pair(value);
    extra.tmpfs[path] = options;
  },
  "--label": (extra, value) => {
    const [name, text] = pair(value);
    extra.labels[name] = text;
  },
  "--network": (extra, value) => {
    extra.network = networkOf(value, "extra_args: --network");
  },
  "--user": (extra, value) => {
    extra.user = value;
  },
  "--workdir": (extra, value) => {
    extra.workingDir = value;
  },
  "--entrypoint": (extra, value) => {
    extra.entrypoint = value;
  },
  "--shm-size": (extra, value) => {
    extra.shmBytes = value;
  },
  "--platform": (extra, value) => {
    extra.platform = value;
  },
};

const SHORT: Readonly<Record<string, string>> = {
  "-v": "--volume",
  "-e": "--env",
  "-u": "--user",
  "-w": "--workdir",
  "-l": "--label",
  "--net": "--network",
};

/** Flags that would break the isolation. */
const FORBIDDEN_FLAGS = new Set(
  "--privileged --cap-add --security-opt --device --pid --ipc --userns --uts --cgroupns --volumes-from --cgroup-parent --gpus".split(
    " ",
  ),
);

export class ExtraArgsError extends Error {
  override readonly name = "ExtraArgsError";
}

/**
 * Parses `isolation.extra_args`, flags of `docker run`.
 *
 * @throws ExtraArgsError with the flag that is unknown or would break the isolation
 */
export function readExtraArgs(args: readonly string[]): Extra {
  const extra: Extra = { binds: [], env: [], addHosts: [], dns: [], tmpfs: {}, labels: {} };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
    const name = equals < 0 ? arg : arg.slice(0, equals);
    const flag = SHORT[name] ?? name;
    if (FORBIDDEN_FLAGS.has(flag))
      throw new ExtraArgsError(`extra_args: ${flag} would weaken the isolation; disable isolation instead`);
    if (flag === "--read-only") {
      if (arg.endsWith("=false")) extra.writableRoot = true;
      continue;
    }
    const take = SUPPORTED_FLAGS[flag];
    if (!take)
      throw new ExtraArgsError(
        `extra_args: ${flag} is not supported; supported flags: ${Object.keys(SUPPORTED_FLAGS).join(", ")}`,
      );
    const value = equals < 0 ? args[++i] : arg.slice(equals + 1);
    if (value === undefined) throw new ExtraArgsError(`extra_args: ${flag} needs a value`);
    take(extra, value);
  }
  return extra;
}

/** `/host:/inside[:options]`, `C:\\host:/inside`, `volume:/inside`. */
const BIND = /^([A-Za-z]:[\\/][^:]*|[^:]*):(\/[^:]+)(?::([A-Za-z,]+))?$/;

function bind(text: string): Bind {
  const [, from = "", to = "", options = ""] = BIND.exec(text) ?? [];
  if (!to) throw new ExtraArgsError(`extra_args: --volume ${text} names no folder in the container`);
  if (!/^(?:\/|[A-Za-z]:[\\/]|[A-Za-z0-9][\w.-]*$)/.test(from))
    throw new ExtraArgsError(
      `extra_args: --volume ${text} begins with neither an absolute path nor the name of a volume`,
    );
  // Volumes with the homes of servers (`volumeOf`) belong to one server each.
  if (/^proxy-[0-9a-f]{12}-/.test(from))
    throw new ExtraArgsError(`extra_args: --volume ${text} would expose another server's home`);
  if (/(?:docker|podman|containerd)[^/]*\.sock/.test(from))
    throw new ExtraArgsError(`extra_args: --volume ${text} would expose the container engine`);
  return { from, to, options };
}

/**
 * Validates the name of a network: `bridge`, `none`, `host` or a user-defined one. Other values that engines accept
 * would join the network of another container, or open this machine's network to it.
 */
export function networkOf(name: string, where: string): string {
  if (/^[A-Za-z0-9][\w.-]*$/.test(name)) return name;
  throw new ExtraArgsError(`${where} ${name} is not a valid network name`);
}
