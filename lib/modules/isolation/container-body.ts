import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { MAX_ISOLATED_PROCESSES, parseMemoryLimit, parseProcessorLimit } from "../../core/config/isolation-limits.ts";
import type { UpstreamTarget } from "../../core/upstream/target.ts";
import { LABELS, labelsOf, type Mark } from "./container/mark.ts";
import { ExtraArgsError, networkOf, readExtraArgs } from "./extra-args.ts";
import { type Guarded, isolationBreach } from "./isolation-breach.ts";
import type { Terms } from "./plan.ts";

export interface Contained {
  readonly server: string;
  readonly mark: Mark;
  /** Complete name, as the engine knows it. */
  readonly image: string;
  readonly terms: Terms;
  readonly target: Pick<UpstreamTarget, "command" | "args" | "declaredEnv" | "workingDir">;
  readonly guarded: Guarded;
}

/** Home folder of a server inside the container; it persists if caches are kept. */
const HOME = "/home/proxy";

/**
 * The request body that creates a container: a read-only root, no capabilities and no way to gain any, and limits on
 * memory, processors and processes. The environment is sent in this body over a socket, so no value appears on a
 * command line.
 *
 * @throws ExtraArgsError
 */
export function containerBody({ server, mark, image, terms, target, guarded }: Contained) {
  const extra = readExtraArgs(terms.extraArgs);
  const memory = parseMemoryLimit(terms.memory);
  const processors = parseProcessorLimit(terms.processors);
  const env = { HOME, ...target.declaredEnv };
  const folder = target.workingDir;
  const workingDir = extra.workingDir ?? terms.workingDir ?? folder;
  const share = (path: string, where: string) => {
    const reason = isolationBreach(path, guarded);
    if (reason !== undefined) throw new ExtraArgsError(`${where} ${path} ${reason}`);
  };
  if (folder !== undefined) share(folder, "working_dir");
  for (const { from } of extra.binds) if (isAbsolute(from)) share(from, "extra_args: --volume");
  const tmpfs = { "/tmp": "rw,nosuid,nodev,exec,size=512m", "/run": "rw,nosuid,nodev,size=16m", ...extra.tmpfs };
  const home = terms.keepCaches ? { [HOME]: volumeOf(mark.instance, server) } : {};
  return {
    Image: image,
    Entrypoint: [extra.entrypoint ?? target.command],
    Cmd: [...target.args],
    Env: [...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...extra.env],
    ...(workingDir !== undefined && { WorkingDir: workingDir }),
    ...(extra.user !== undefined && { User: extra.user }),
    Labels: { ...extra.labels, ...labelsOf(mark), [LABELS.server]: server },
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    HostConfig: {
      Init: true,
      NetworkMode: extra.network ?? networkOf(terms.network, "network_mode"),
      ...(memory !== undefined && { Memory: memory, MemorySwap: memory }),
      ...(processors !== undefined && { NanoCpus: Math.round(processors * 1e9) }),
      PidsLimit: MAX_ISOLATED_PROCESSES,
      ReadonlyRootfs: extra.writableRoot !== true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Tmpfs: terms.keepCaches ? tmpfs : { ...tmpfs, [HOME]: "rw,nosuid,nodev,exec,size=1g" },
      Binds: extra.binds.map(({ from, to, options }) => `${from}:${to}${options && `:${options}`}`),
      Mounts: [
        // Not in `Binds`, where a colon in the path would start another part.
        ...(folder !== undefined ? [{ Type: "bind", Source: folder, Target: folder }] : []),
        ...Object.entries(home).map(([Target, Source]) => ({ Type: "volume", Source, Target })),
      ],
      ...(extra.addHosts.length > 0 && { ExtraHosts: extra.addHosts }),
      ...(extra.dns.length > 0 && { Dns: extra.dns }),
      ...(extra.shmBytes !== undefined && { ShmSize: parseMemoryLimit(extra.shmBytes) }),
      ...(terms.log.driver !== undefined && {
        LogConfig: {
          Type: terms.log.driver,
          Config: { "max-size": terms.log.maxSize, "max-file": terms.log.maxFiles },
        },
      }),
    },
  };
}

/** Name of a server's volume. Servers share none, because one server could poison the cache of another. */
export const volumeOf = (instance: string, server: string) => `proxy-${instance}-${slug(server)}`;

/**
 * A name that every engine accepts and that differs for different servers, so that no choice of a server's name gives
 * it the home of another.
 */
export function slug(server: string): string {
  const plain = server
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return `${plain || "server"}-${createHash("sha256").update(server).digest("hex").slice(0, 16)}`;
}
