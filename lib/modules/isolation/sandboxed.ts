import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { isAbsolute, join, parse } from "node:path";
import { makeFolder } from "../../core/base/folder.ts";
import {
  MAX_ISOLATED_PROCESSES,
  OUT_OF_MEMORY,
  parseMemoryLimit,
  parseProcessorLimit,
} from "../../core/config/isolation-limits.ts";
import { UpstreamError } from "../../core/upstream/errors.ts";
import type { LaunchRequest } from "../../core/upstream/launcher.ts";
import type { ServerProcess } from "../../core/upstream/stdio/start-process.ts";
import { authorityFiles } from "./authority-files.ts";
import { makeCgroup } from "./cgroup.ts";
import { slug } from "./container-body.ts";
import { type Bind, type Extra, ExtraArgsError, readExtraArgs } from "./extra-args.ts";
import { hiddenPaths } from "./hidden-paths.ts";
import { type Guarded, isolationBreach, realPathOf } from "./isolation-breach.ts";
import type { Terms } from "./plan.ts";
import { bubblewrap, isSystem, programsOf, type Reach, seatbelt } from "./sandbox.ts";
import type { SandboxTools } from "./sandbox-tools.ts";

interface Ground {
  readonly tools: SandboxTools;
  readonly instance: string;
  readonly guarded: Guarded;
  /** The proxy's own PATH. */
  readonly path: string;
}

/** Home folder for users whose real one cannot be replaced. */
const PLAIN_HOME = "/home/proxy";

/** Starts a server in the light sandbox. @throws UpstreamError, also for settings that would break the sandbox */
export async function startSandboxed(terms: Terms, options: LaunchRequest, ground: Ground): Promise<ServerProcess> {
  const { server, target, plain, onLine } = options;
  const { tools, instance, guarded, path } = ground;
  const name = slug(server.name);
  const ownHome = homeOf(guarded.dataDir, server.name);
  makeFolder(ownHome);
  const extra = allowed(terms, target.workingDir, guarded);
  const home = guarded.home === parse(guarded.home).root ? PLAIN_HOME : guarded.home;
  const { command, args, workingDir } = target;
  const refused = (folder: string) => isolationBreach(folder, guarded) !== undefined;
  const reach: Reach = {
    command,
    args,
    home,
    ownHome,
    hidden: [guarded.dataDir],
    workingDir,
    shared: extra.binds,
    startIn: extra.workingDir ?? terms.workingDir ?? workingDir ?? home,
    programs: [
      ...programsOf(command, target.env, path, refused),
      ...authorityFiles(target.env, refused).filter((file) => !isSystem(file)),
    ],
    sockets: guarded.sockets.map(realPathOf),
    // The sandbox has this machine's network or none; the other networks of containers are not available.
    network: (extra.network ?? terms.network) === "host",
  };
  for (const arg of hiddenPaths(args, [...reach.programs, ...folders(reach)])) onLine(hiddenPathHint(arg));
  const bounds = {
    memoryBytes: parseMemoryLimit(terms.memory),
    processors: parseProcessorLimit(terms.processors),
    processes: MAX_ISOLATED_PROCESSES,
  };
  const cell = tools.kind === "bubblewrap" ? makeCgroup(instance, name, bounds) : undefined;
  // Applied inside the sandbox, where its processes are counted separately from others of the same user.
  const limits =
    tools.prlimit && bounds.memoryBytes !== undefined && !cell
      ? [tools.prlimit, `--data=${bounds.memoryBytes}`, `--nproc=${MAX_ISOLATED_PROCESSES}`, "--"]
      : [];
  const [first = "", ...more] = [...limits, command, ...args];
  const line =
    tools.kind === "bubblewrap"
      ? bubblewrap(tools, { ...reach, command: first, args: more })
      : [tools.path, "-p", seatbelt(reach), command, ...args];
  const entered = cell
    ? ["/bin/sh", "-c", ENTER, "sh", String(cell.memberFiles.length), ...cell.memberFiles, ...line]
    : line;
  const [program = "", ...rest] = entered;
  // On macOS the home keeps its path, so the process gets its own home in the environment.
  const itsHome = tools.kind === "sandbox-exec" ? ownHome : home;
  const env = { ...target.env, HOME: itsHome, ...target.declaredEnv, ...Object.fromEntries(extra.env.map(pair)) };
  const child = await plain({ command: program, args: rest, env, workingDir: undefined });
  const explained = (how: string) => (cell?.outOfMemory() ? OUT_OF_MEMORY : how);
  return {
    ...child,
    onEnd: (fn) => child.onEnd((how) => fn(explained(how))),
    async end() {
      await child.end();
      cell?.remove();
    },
  };
}

const homeOf = (dataDir: string, server: string) => join(dataDir, "sandbox", slug(server));

/**
 * Removes the persistent home of a server in the light sandbox. A server that is started under the same name in the
 * meantime is not affected.
 */
export async function removeHome(dataDir: string, server: string): Promise<void> {
  const home = homeOf(dataDir, server);
  if (!existsSync(home)) return;
  const movedHome = `${home}.${randomBytes(4).toString("hex")}`;
  await rename(home, movedHome);
  await rm(movedHome, { recursive: true, force: true });
}

/** Parses the settings of the entry and rejects those that would break the sandbox. */
function allowed(terms: Terms, workingDir: string | undefined, guarded: Guarded): Extra {
  try {
    const extra = readExtraArgs(terms.extraArgs);
    const check = (where: string, path: string) => {
      const reason = isAbsolute(path) ? isolationBreach(path, guarded) : "is a volume, which only a container can have";
      if (reason !== undefined) throw new ExtraArgsError(`${where} ${path} ${reason}`);
    };
    if (workingDir !== undefined) check("working_dir", workingDir);
    for (const { from } of extra.binds) check("extra_args: --volume", from);
    return extra;
  } catch (error) {
    if (!(error instanceof ExtraArgsError)) throw error;
    throw new UpstreamError(`its sandbox: ${error.message}`, { cause: error });
  }
}

const folders = ({ workingDir, shared }: { workingDir: string | undefined; shared: readonly Bind[] }) => [
  ...(workingDir === undefined ? [] : [workingDir]),
  ...shared.map(({ to }) => to),
];

/** Says how to give a server access to a hidden path. */
export const hiddenPathHint = (path: string) =>
  `${path} on its command line is hidden from the server; to allow access, add isolation.extra_args ["-v", "${path}:${path}:ro"]`;

const pair = (text: string): [string, string] => {
  const at = text.indexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
};

/** Shell script that joins each control group and then executes the command. */
const ENTER = 'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ > "$1"; shift; n=$((n - 1)); done; exec "$@"';
