import type { App } from "../../core/app.ts";
import { durationMs } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { loopShare } from "../../core/base/loop-share.ts";
import { pinnedMembers } from "../../core/catalog/pin.ts";
import type { Config } from "../../core/config/config-keys.ts";
import { LISTED_KINDS, type ListedKind } from "../../core/schema/item.ts";
import type { EngineApi } from "../isolation/container/api.ts";
import { frames } from "../isolation/container/frames.ts";
import { LABELS, labelsOf } from "../isolation/container/mark.ts";
import { removeContainer } from "../isolation/container/remove.ts";
import { ensureImage } from "../isolation/image.ts";
import { containerEngine } from "../isolation/state.ts";
import { fromSarif } from "./rules/sarif.ts";
import { type Outcome, reportedFinding, type Scanner, type Subject } from "./scanner.ts";

type Entry = Config["security"]["scanners"][number];

/** Maximum size of a scanner's report, and of its standard error (bytes). */
const MAX_OUT = 8 * 1024 * 1024;
const MAX_ERR = 64 * 1024;
/** Resource limits of its container. */
const MEMORY = 1024 * 1024 * 1024;
const PROCESSES = 256;

/**
 * Runs an external scanner: a container that gets the server's definition and lists as JSON on standard input and its
 * files read-only at `/src`, and writes SARIF 2.1.0 to standard output. It has no network unless its entry allows it, a
 * read-only root, no capabilities, and none of the server's secrets.
 */
export function externalScanner(entry: Entry): Scanner {
  const timeoutMs = entry.timeout === undefined ? undefined : durationMs(entry.timeout);
  return {
    id: entry.id,
    name: entry.name ?? entry.id,
    description: `Runs ${entry.image} as a container.`,
    kind: "container",
    inputs: ["tools", "definition", "source"],
    image: entry.image,
    ...(timeoutMs && { timeoutMs }),
    run: (app, subject, signal) => run(app, entry, subject, signal),
  };
}

async function run(app: App, entry: Entry, subject: Subject, signal: AbortSignal): Promise<Outcome> {
  const engine = app.part(containerEngine);
  const api = await engine.api();
  if (!api) return { findings: [], complete: false, skipped: "no container engine is available" };
  const env: string[] = [];
  for (const [name, value] of Object.entries(entry.env)) env.push(`${name}=${await resolved(app, value)}`);
  const registry = app.config.current().docker_isolation.registry;
  const image = await ensureImage(api, {
    image: entry.image,
    registry,
    signal,
    onLine: (line) => app.log.debug(line),
    fetching: engine.fetching,
  });
  const { out, err, code } = await inContainer(
    api,
    { image, entry, env, labels: labelsOf(engine.mark), dir: subject.installed?.dir },
    await describe(subject, signal),
    signal,
  );
  // Some scanners exit with an error code if they find something; a report takes precedence over the code.
  if (out.trim() === "")
    throw new Error(`it exited with code ${code} without a report${err && `: ${err.trim().slice(0, 300)}`}`);
  const { findings, complete } = fromSarif(out);
  return {
    complete,
    findings: findings.map(({ helpUri, ...finding }) =>
      reportedFinding(finding, {
        scanner: entry.id,
        threat_type: "uncategorized",
        ...(helpUri !== undefined && { help_uri: helpUri }),
      }),
    ),
  };
}

async function resolved(app: App, text: string): Promise<string> {
  return /\$\{(?:env|keyring):/.test(text) ? await app.secrets.resolve(text) : text;
}

/**
 * The input of a scanner. It contains no environment, headers or arguments, because they can contain secrets.
 *
 * @returns JSON in chunks. A server may list many megabytes, so entries are serialised one at a time.
 */
async function describe(
  { server, tools, items, instructions, launch, installed }: Subject,
  signal: AbortSignal,
): Promise<string[]> {
  const head = JSON.stringify({
    format: "proxy-scan/1",
    server: {
      name: server.name,
      source: launch.source,
      ...(launch.source !== "remote" && { package: launch.name }),
      ...((installed?.version ?? launch.version) && { version: installed?.version ?? launch.version }),
    },
    ...(instructions !== undefined && { instructions }),
  });
  const portions = [head.slice(0, -1)];
  const pause = loopShare();
  const add = async <Row>(member: string, rows: readonly Row[], entryOf: (row: Row) => unknown) => {
    let text = `,"${member}":[`;
    let separator = "";
    for (const row of rows) {
      text += separator + JSON.stringify(entryOf(row));
      separator = ",";
      if (text.length > PORTION) {
        portions.push(text);
        text = "";
      }
      await pause();
      signal.throwIfAborted();
    }
    portions.push(`${text}]`);
  };
  await add("tools", tools, pinnedMembers);
  for (const kind of LISTED_KINDS) {
    const ofKind = items.filter((row) => row.kind === kind);
    if (ofKind.length > 0) await add(ITEM_MEMBERS[kind], ofKind, ({ definition }) => definition);
  }
  portions.push("}");
  return portions;
}

/** Members of the input that contain items, named as in the lists of MCP. */
const ITEM_MEMBERS: Readonly<Record<ListedKind, string>> = {
  prompt: "prompts",
  resource: "resources",
  template: "resourceTemplates",
};
/** A chunk of the input ends after this many characters. */
const PORTION = 64 * 1024;

interface Wanted {
  image: string;
  entry: Entry;
  env: readonly string[];
  labels: Readonly<Record<string, string>>;
  dir: string | undefined;
}

async function inContainer(
  api: EngineApi,
  { image, entry, env, labels, dir }: Wanted,
  input: readonly string[],
  signal: AbortSignal,
) {
  const body = {
    Image: image,
    ...(entry.args.length > 0 && { Cmd: entry.args }),
    Env: env,
    Labels: { ...labels, [LABELS.scanner]: entry.id },
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    NetworkDisabled: !entry.network,
    HostConfig: {
      NetworkMode: entry.network ? "bridge" : "none",
      Memory: MEMORY,
      MemorySwap: MEMORY,
      NanoCpus: 1e9,
      PidsLimit: PROCESSES,
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Tmpfs: { "/tmp": "rw,nosuid,nodev,size=256m" },
      Binds: dir === undefined ? [] : [`${dir}:/src:ro`],
    },
  };
  const made = (await api.ask("POST", "/containers/create", { body, signal })) as { Id?: unknown } | undefined;
  const id = String(made?.Id ?? "");
  if (!/^[0-9a-f]{12,}$/.test(id)) throw new Error("the container engine returned no id for the new container");
  try {
    const { socket, head } = await api.attach(id, signal);
    const parts = frames();
    const stop = () => void socket.destroy();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const out = collect(parts.stdout, MAX_OUT);
      const err = collect(parts.stderr, MAX_ERR);
      parts.onDrained(() => socket.resume());
      socket.on("data", (chunk: Buffer) => {
        if (!parts.feed(chunk)) socket.pause();
      });
      const closed = new Promise<void>((done) => socket.once("close", () => done()));
      socket.on("error", () => {});
      if (head.length > 0) parts.feed(head);
      await api.ask("POST", `/containers/${id}/start`, { signal });
      for (const portion of input) socket.write(portion);
      socket.end();
      await closed;
      parts.end();
      signal.throwIfAborted();
      const state = (await api.ask("GET", `/containers/${id}/json`, { signal })) as { State?: { ExitCode?: number } };
      return { out: await out, err: await err, code: state.State?.ExitCode ?? 0 };
    } finally {
      signal.removeEventListener("abort", stop);
      socket.destroy();
    }
  } finally {
    await removeContainer(api, id);
  }
}

/** Reads a stream as text up to a limit and discards the rest. */
async function collect(stream: AsyncIterable<Buffer | string>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      if (size < maxBytes) chunks.push(bytes.subarray(0, maxBytes - size));
      size += bytes.length;
    }
  } catch (error) {
    chunks.push(Buffer.from(reasonOf(error)));
  }
  return Buffer.concat(chunks).toString("utf8");
}
