import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { OUT_OF_MEMORY } from "../../core/config/isolation-limits.ts";
import type { ServerProcess } from "../../core/upstream/stdio/start-process.ts";
import { type EngineApi, EngineError } from "./container/api.ts";
import { frames } from "./container/frames.ts";
import { removeContainer } from "./container/remove.ts";
import { type Contained, containerBody } from "./container-body.ts";
import { readExtraArgs } from "./extra-args.ts";
import { ensureImage, platformQuery } from "./image.ts";
import { lacksInit, lacksProgram, missingProgram } from "./missing-program.ts";

interface StartOptions {
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
  /** Timeout from creating the container to running it (ms). */
  readonly timeoutMs: number;
  /** The downloads in progress (`Engine.fetching`). */
  readonly fetching: Map<string, Promise<void>>;
}

/** Timeout of a request to the engine; a working one takes much less (ms). */
const ORDER_MS = 10_000;
/** Maximum time between the end of the container's streams and its exit (ms). */
const LAST_MS = 3000;

/**
 * Starts a server in a container and returns its streams. @throws EngineError, ExtraArgsError; the container is then
 * removed
 */
export async function startContainer(
  api: EngineApi,
  spec: Omit<Contained, "image">,
  { signal, onLine, timeoutMs, fetching }: StartOptions,
): Promise<ServerProcess> {
  const { image, registry } = spec.terms;
  const { platform } = readExtraArgs(spec.terms.extraArgs);
  const imageName = await ensureImage(api, { image, registry, platform, signal, onLine, fetching });
  const body = containerBody({ ...spec, image: imageName });
  const soon = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const name = `proxy-${spec.mark.instance}-${randomBytes(4).toString("hex")}`;
  const made = await create(api, `name=${name}${platformQuery(platform)}`, body, soon);
  const id = String((made as { Id?: unknown } | undefined)?.Id ?? "");
  if (!/^[0-9a-f]{12,}$/.test(id)) throw new EngineError("the container engine returned no id for the new container");
  try {
    const { socket, head } = await api.attach(id, soon);
    const child = new ContainerChild(api, { id, image: imageName, command: spec.target.command }, socket, head);
    await api.ask("POST", `/containers/${id}/start`, { signal: soon });
    return child;
  } catch (error) {
    await removeContainer(api, id);
    throw explained(error, spec.target.command, imageName);
  }
}

/** Creates the container with an init process, or without one on engines that lack the program. */
async function create(api: EngineApi, query: string, body: ReturnType<typeof containerBody>, signal: AbortSignal) {
  const ask = (made: object) => api.ask("POST", `/containers/create?${query}`, { body: made, signal });
  try {
    return await ask(body);
  } catch (error) {
    if (!(error instanceof EngineError) || !lacksInit(error.message)) throw error;
    return await ask({ ...body, HostConfig: { ...body.HostConfig, Init: false } });
  }
}

/** Replaces the engine's message about a missing program, which describes the engine's internals. */
function explained(error: unknown, command: string, image: string): unknown {
  if (!(error instanceof EngineError) || !lacksProgram(error.message, command)) return error;
  return new EngineError(missingProgram(command, image), error.status, { cause: error });
}

interface Made {
  readonly id: string;
  readonly image: string;
  readonly command: string;
}

/** Characters of the standard error that are kept, because the init reports there before the server starts. */
const FIRST_WORDS = 1024;

class ContainerChild implements ServerProcess {
  readonly pid = undefined;
  readonly stdin: Socket;
  readonly stdout;
  readonly stderr;
  private readonly api: EngineApi;
  private readonly made: Made;
  private readonly closed: Promise<void>;
  private gone: Promise<string> | undefined;
  private firstWords = "";

  constructor(api: EngineApi, made: Made, socket: Socket, head: Buffer) {
    this.api = api;
    this.made = made;
    this.stdin = socket;
    const parts = frames((part) => {
      if (this.firstWords.length < FIRST_WORDS) this.firstWords += part.toString("utf8", 0, FIRST_WORDS);
    });
    this.stdout = parts.stdout;
    this.stderr = parts.stderr;
    parts.onDrained(() => socket.resume());
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => {
      if (!parts.feed(chunk)) socket.pause();
    });
    if (head.length > 0) parts.feed(head);
    this.closed = new Promise((done) => socket.once("close", done));
    // The exit status is read before the streams end, so that an error says how the container exited.
    this.closed.then(() => this.fate()).finally(() => parts.end());
  }

  onEnd(fn: (how: string) => void): void {
    this.closed.then(() => this.fate()).then(fn);
  }

  onSilent(fn: () => void): void {
    this.closed.then(fn);
  }

  async end(): Promise<void> {
    this.stdin.end();
    await removeContainer(this.api, this.made.id);
    this.stdin.destroy();
  }

  /** Reads the exit status once, and then removes the container. */
  private fate(): Promise<string> {
    this.gone ??= fateOf(this.api, this.made.id)
      .then((how) => (how.startsWith(EXITED) ? this.explained(how) : how))
      .finally(() => removeContainer(this.api, this.made.id));
    return this.gone;
  }

  /** With an init, a container starts even if the server's program does not exist. */
  private explained(how: string): string {
    const { command, image } = this.made;
    return lacksProgram(this.firstWords, command) ? `did not start: ${missingProgram(command, image)}` : how;
  }
}

const EXITED = "exited with code";

interface State {
  Running?: boolean;
  ExitCode?: number;
  OOMKilled?: boolean;
}

async function fateOf(api: EngineApi, id: string): Promise<string> {
  const until = Date.now() + LAST_MS;
  for (;;) {
    const signal = AbortSignal.timeout(ORDER_MS);
    const found = await api.ask("GET", `/containers/${id}/json`, { signal }).catch(() => undefined);
    const state = (found as { State?: State } | undefined)?.State;
    if (!state) return "ended with its container";
    if (state.Running && Date.now() < until) await new Promise((done) => setTimeout(done, 50));
    else if (state.Running) return "closed its streams";
    else if (state.OOMKilled) return OUT_OF_MEMORY;
    else return `${EXITED} ${state.ExitCode ?? "?"}`;
  }
}
