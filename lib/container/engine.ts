import { request } from "node:http";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";

/** What asking for a container engine found. */
export interface EngineState {
  available: boolean;
  /** Where it was asked: a socket's path or an address. */
  at?: string;
  /** Such as `Docker 27.3.1`. */
  version?: string;
  /** Why there is none. */
  error?: string;
  /** When it was asked (ms). */
  askedAt: number;
  /** When one answered last (ms). */
  answeredAt?: number;
}

/** The container engine of this machine: Docker, or what speaks its protocol, such as Podman. */
export interface Engine {
  /** Asks it; an answer younger than five seconds is given again. Never fails. */
  state(): Promise<EngineState>;
}

export interface EngineOptions {
  clock: Clock;
  env: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  /** Longest wait for all that is asked (ms). */
  patienceMs?: number;
}

/** How long an answer counts. (ms) */
const FRESH_MS = 5000;
/** Longest wait for a daemon's answer. (ms) */
const PATIENCE_MS = 2000;

export function createEngine(options: EngineOptions): Engine {
  const { clock, patienceMs = PATIENCE_MS } = options;
  let last: EngineState | undefined;
  let asking: Promise<EngineState> | undefined;
  const ask = async (): Promise<EngineState> => {
    const found = await firstAnswer(places(options), patienceMs);
    const askedAt = clock.now();
    const answeredAt = found.available ? askedAt : last?.answeredAt;
    last = { ...found, askedAt, ...(answeredAt !== undefined && { answeredAt }) };
    return last;
  };
  return {
    async state() {
      if (last && clock.now() - last.askedAt < FRESH_MS) return last;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return await asking;
    },
  };
}

type Place = { at: string; socketPath: string } | { at: string; host: string; port: number };

/** Where an engine may listen; only there, when somebody says where. Empty for an address nobody can ask plainly. */
function places({ env, platform = process.platform }: EngineOptions): Place[] {
  const socket = (path: string): Place => ({ at: path, socketPath: path });
  for (const said of [env.DOCKER_HOST, env.CONTAINER_HOST]) {
    if (!said) continue;
    const path = /^(?:unix|npipe):\/\/(.+)$/.exec(said)?.[1];
    if (path !== undefined) return [socket(path.replace(/^\/\/\.\/pipe\//, "\\\\.\\pipe\\"))];
    const url =
      /^(?:tcp|http):\/\//.test(said) && URL.canParse(said) ? new URL(said.replace(/^tcp:/, "http:")) : undefined;
    return url && !env.DOCKER_TLS_VERIFY ? [{ at: said, host: url.hostname, port: Number(url.port || 2375) }] : [];
  }
  if (platform === "win32")
    return ["docker_engine", "podman-machine-default"].map((pipe) => socket(`\\\\.\\pipe\\${pipe}`));
  const { HOME: home, XDG_RUNTIME_DIR: run } = env;
  return [
    "/var/run/docker.sock",
    ...(run ? [join(run, "docker.sock"), join(run, "podman", "podman.sock")] : []),
    ...(home ? [join(home, ".docker", "run", "docker.sock"), join(home, ".colima", "default", "docker.sock")] : []),
    "/run/podman/podman.sock",
  ].map(socket);
}

type Found = Pick<EngineState, "available" | "at" | "version" | "error">;

/** All are asked at once; the first in order that answers counts. */
async function firstAnswer(where: readonly Place[], patienceMs: number): Promise<Found> {
  const none = { available: false, error: "DOCKER_HOST names an engine that can only be reached by its own client" };
  const answers = await Promise.all(where.map((place) => version(place, patienceMs)));
  return (
    answers.find(({ available }) => available) ??
    answers.find(({ error }) => !ABSENT.test(error ?? "")) ??
    answers[0] ??
    none
  );
}

const ABSENT = /ENOENT/;

function version({ at, ...address }: Place, patienceMs: number): Promise<Found> {
  return new Promise((done) => {
    const failed = (error: unknown) => done({ available: false, at, error: reasonOf(error) });
    const signal = AbortSignal.timeout(patienceMs);
    const asked = request(
      { ...address, path: "/version", signal, agent: false, headers: { host: "localhost" } },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => {
          text += part;
          if (text.length > LARGEST) answer.destroy(new Error("it answers with more than a version"));
        });
        answer.on("error", failed);
        answer.on("end", () => done({ at, ...judged(answer.statusCode ?? 0, text) }));
      },
    );
    asked.on("error", (error) =>
      failed(signal.aborted ? new Error(`${at} gave no answer within ${patienceMs} ms`) : error),
    );
    asked.end();
  });
}

const LARGEST = 256 * 1024;

function judged(status: number, text: string): Found {
  try {
    const said = JSON.parse(text) as { Version?: unknown; Components?: { Name?: unknown }[] } | null;
    if (status !== 200 || typeof said?.Version !== "string")
      return { available: false, error: `it answered with status ${status}` };
    const podman = /podman/i.test(String(said.Components?.[0]?.Name ?? ""));
    return { available: true, version: `${podman ? "Podman" : "Docker"} ${said.Version}` };
  } catch {
    return { available: false, error: `it answered with status ${status} and no version` };
  }
}
