// @ts-check
/**
 * The common parts of the upstream test programs: flags, tools, methods. They use no MCP library, so that they can also
 * misbehave.
 *
 * Flags of every program (`--flag value` or `--flag=value`):
 *   --name x              server name (default: echo)
 *   --tools n             n further tools with plausible names and schemas (create_invoice_0001 …)
 *   --tools-file f.json   the further tools are read from this file; saving it announces list_changed
 *   --page-size n         tools/list in pages of n
 *   --revision r          protocol revision it insists on (default: what the client asks, else 2025-11-25)
 *   --era e               legacy (default), modern (2026-07-28 only) or both
 *   --no-list-changed     does not advertise tools.listChanged (but still announces changes)
 *   --repeat x            serverInfo, instructions and the description of `echo` hold the environment variable x
 *   --init-delay ms       answers the first request late
 *   --list-delay ms       answers tools/list late
 *   --list-fault kind     tools/list fails: error (a JSON-RPC error), silent (no answer) or garbage (no list of tools)
 *   --list-fault-file f   … only while the file f exists
 *   --mutate-every ms     changes echo's description and announces it, again and again
 *   --instructions text   given at initialize
 *
 * Tools of every program (annotations in brackets):
 *   echo [read]           its arguments as JSON text
 *   big {kb} [read]       kb kilobytes of text
 *   slow {ms} [read]      answers after ms; counts a cancellation
 *   fail {message}        isError
 *   rpc_error {message, data, size}   JSON-RPC error -32099; `size`: that many letters as its message
 *   crash [destructive]   exits with code 7
 *   progress {steps, ms, burst, message}   progress notifications, then the answer; `burst` sends all in one write
 *   mutate {description}  changes echo's description and announces tools/list_changed
 *   add_tool {name, description}, remove_tool {name}   change the list and announce it
 *   structured {n}, content, raw {json}   results to compare byte for byte; raw sends `json` as the result text
 *   ask {state, kind}     a server-to-client request; answers with what came back. kind: form, url, sampling, roots,
 *                         many {count} (that many forms at once), required {url} (error -32042 at every other call),
 *                         complete {id} (reports that a person is done at the address of that question)
 *   stats [read]          counters, pid, transport
 *   environment [read]    the process's own environment, working directory and arguments
 *   write_note {text} [write]   delete_note {id} [destructive]   bare (no annotations)
 */
import { existsSync, readFileSync, watch } from "node:fs";

export const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
export const MODERN = ["2026-07-28"];
export const META = "io.modelcontextprotocol/";

/** @typedef {Record<string, any>} Json */
/** @typedef {{ era?: string, signal?: AbortSignal, progressToken?: unknown, inputResponses?: Json, requestState?: unknown,
 *   notify?: (method: string, params: Json) => void, burst?: (messages: Json[]) => void,
 *   request?: (method: string, params: Json) => Promise<any> }} Context */

/** The questions of `ask`, by kind. @type {Record<string, { method: string, params: Json }>} */
const QUESTIONS = {
  form: {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: "Your name?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    },
  },
  url: {
    method: "elicitation/create",
    params: { mode: "url", message: "Sign in", url: "https://sign-in.example.com/x", elicitationId: "e-1" },
  },
  plain: {
    method: "elicitation/create",
    params: { mode: "url", message: "Sign in", url: "http://sign-in.example.com/x", elicitationId: "e-2" },
  },
  sampling: {
    method: "sampling/createMessage",
    params: { messages: [{ role: "user", content: { type: "text", text: "2+2?" } }], maxTokens: 5 },
  },
  roots: { method: "roots/list", params: {} },
};

/** @param {Json} [properties] @param {string[]} [required] */
const object = (properties = {}, required = []) => ({ type: "object", properties, required });
/** @param {string} text */
const text = (text) => ({ content: [{ type: "text", text }] });
/** @param {number} ms @param {AbortSignal} [signal] */
const sleep = (ms, signal) =>
  new Promise((done, fail) => {
    const timer = setTimeout(done, ms);
    const stop = () => {
      clearTimeout(timer);
      fail(new Error("cancelled"));
    };
    signal?.addEventListener("abort", stop, { once: true });
  });

/** A result whose text is sent byte for byte. */
export class Raw {
  /** @param {string} json */
  constructor(json) {
    this.json = json;
  }
}

// One pixel and an empty sound, to check that binary content is unchanged.
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const VERBS = ["create", "list", "update", "delete", "search", "export", "archive", "sync"];
const NOUNS = "invoice ticket repository calendar document customer dashboard deployment message contact".split(" ");

/** @param {number} i */
function filler(i) {
  const verb = VERBS[i % VERBS.length];
  const noun = NOUNS[(i * 7) % NOUNS.length];
  const number = String(i).padStart(4, "0");
  return {
    name: `${verb}_${noun}_${number}`,
    description: `Can ${verb} one or more ${noun} records (variant ${number}) and returns their identifiers.`,
    inputSchema: object(
      {
        [`${noun}_id`]: { type: "string", description: `Identifier of the ${noun}` },
        query: { type: "string", description: "Free-text filter" },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "Page size" },
      },
      [`${noun}_id`],
    ),
    annotations: { readOnlyHint: verb === "list" || verb === "search", destructiveHint: verb === "delete" },
  };
}

/** @param {string} description */
const builtIn = (description) => [
  {
    name: "echo",
    description,
    inputSchema: { ...object({ message: { type: "string" } }), additionalProperties: true },
    annotations: { readOnlyHint: true, title: "Echo" },
  },
  tool("big", "Returns kb kilobytes of text.", { kb: { type: "integer", minimum: 0 } }, { readOnlyHint: true }),
  tool("slow", "Sleeps ms milliseconds, then answers.", { ms: { type: "integer" } }, { readOnlyHint: true }),
  tool("fail", "Always answers isError.", { message: { type: "string" } }, { readOnlyHint: true }),
  tool("rpc_error", "Always answers a JSON-RPC error with data.", {}, { readOnlyHint: true }),
  tool("crash", "Ends this server without answering.", {}, { destructiveHint: true }),
  tool("progress", "Reports progress, then answers.", { steps: { type: "integer" } }, { readOnlyHint: true }),
  tool("mutate", "Changes the description of echo.", { description: { type: "string" } }, { destructiveHint: false }),
  tool("add_tool", "Adds a tool.", { name: { type: "string" } }, { destructiveHint: false }),
  tool("remove_tool", "Removes a tool.", { name: { type: "string" } }, { destructiveHint: true }),
  {
    ...tool("structured", "Squares a number.", { n: { type: "integer" } }, { readOnlyHint: true }),
    outputSchema: object({ n: { type: "integer" }, square: { type: "integer" } }, ["n", "square"]),
    _meta: { "test/tag": "kept" },
  },
  tool("content", "One item of each content type.", {}, { readOnlyHint: true }),
  tool("raw", "Sends this text as its result.", { json: { type: "string" } }, { readOnlyHint: true }),
  tool("ask", "Asks the client's user for a name.", {}, { readOnlyHint: true }),
  tool("stats", "Counters of this process.", {}, { readOnlyHint: true }),
  tool("environment", "Environment of this process.", {}, { readOnlyHint: true }),
  tool("write_note", "Writes a note.", { text: { type: "string" } }, { readOnlyHint: false, destructiveHint: false }),
  tool("delete_note", "Deletes a note.", { id: { type: "string" } }, { readOnlyHint: false, destructiveHint: true }),
  tool("bare", "Says nothing about what it does.", {}),
];

/** @param {string} name @param {string} description @param {Json} properties @param {Json} [annotations] */
function tool(name, description, properties, annotations) {
  return { name, description, inputSchema: object(properties), ...(annotations && { annotations }) };
}

/** @param {Json} flags @param {string} transport */
export function createCore(flags, transport) {
  /** @type {Set<() => void>} */
  const listeners = new Set();
  const counters = { calls: 0, cancelled: 0, initializes: 0, lists: 0, pings: 0, mutations: 0, sessionsDeleted: 0 };
  let revision = 0;
  let isRequired = false;
  const repeated = flags.repeat ? ` ${process.env[flags.repeat]}` : "";
  const instructions = `${flags.instructions ?? "Upstream for tests."}${repeated}`;
  /** @type {string | undefined} */
  let description;
  const fillers = Array.from({ length: Number(flags.tools ?? 0) }, (_, i) => filler(i + 1));
  const fromFile = () => (flags["tools-file"] ? JSON.parse(readFileSync(flags["tools-file"], "utf8")) : []);
  /** @type {Json[]} */
  let added = [];
  /** @type {Set<string>} */
  const removed = new Set();

  const all = () =>
    [
      ...builtIn(`${description ?? `Returns its arguments as JSON text. rev=${revision}`}${repeated}`),
      ...fillers,
      ...fromFile(),
      ...added,
    ].filter((t) => !removed.has(t.name));
  const changed = () => {
    for (const listener of listeners) listener();
  };
  /** @param {string} [to] */
  const mutate = (to) => {
    revision++;
    counters.mutations++;
    description = to ?? `Returns its arguments as JSON text. rev=${revision}`;
    changed();
  };
  if (flags["mutate-every"]) setInterval(mutate, Number(flags["mutate-every"])).unref();
  if (flags["tools-file"]) watch(flags["tools-file"], changed).unref();

  /** @param {string | undefined} cursor */
  async function listTools(cursor) {
    counters.lists++;
    if (flags["list-delay"]) await sleep(Number(flags["list-delay"]));
    const fault = flags["list-fault-file"] && !existsSync(flags["list-fault-file"]) ? undefined : flags["list-fault"];
    if (fault === "error") throw { code: -32603, message: "the index is broken" };
    if (fault === "silent") return new Promise(() => {});
    if (fault === "garbage") return { tools: "none", nextCursor: 7 };
    const tools = all();
    const size = Number(flags["page-size"] ?? 0);
    if (!size) return { tools };
    const from = cursor ? Number(cursor) : 0;
    const page = { tools: tools.slice(from, from + size) };
    return from + size < tools.length ? { ...page, nextCursor: String(from + size) } : page;
  }

  /** @param {Json} args @param {Context} ctx */
  async function progress(args, ctx) {
    const steps = args.steps ?? 3;
    const step = (/** @type {number} */ i) => ({
      progressToken: ctx.progressToken,
      progress: i,
      total: steps,
      message: args.message ?? `step ${i}`,
      ...(args.message && { unknown: args.message }),
    });
    if (args.burst) {
      const all = Array.from({ length: steps }, (_, i) => ({ method: "notifications/progress", params: step(i + 1) }));
      if (ctx.progressToken !== undefined) ctx.burst?.(all);
      return text(`done ${steps}`);
    }
    for (let i = 1; i <= steps; i++) {
      await sleep(args.ms ?? 5, ctx.signal);
      if (ctx.progressToken !== undefined) ctx.notify?.("notifications/progress", step(i));
    }
    return text(`done ${steps}`);
  }

  /** @param {Json} args @param {Context} ctx */
  async function ask(args, ctx) {
    if (args.kind === "required") return requireAddress(args.url);
    if (args.kind === "complete") {
      ctx.notify?.("notifications/elicitation/complete", { elicitationId: args.id });
      return text(`completed ${args.id}`);
    }
    if (args.kind === "many") return askMany(args.count, ctx);
    if (args.kind) return askKind(args.kind, ctx);
    const params = {
      mode: "form",
      message: "Your name?",
      requestedSchema: object({ name: { type: "string" } }, ["name"]),
    };
    if (ctx.era !== "modern")
      return text(`asked: ${JSON.stringify(await ctx.request?.("elicitation/create", params))}`);
    const given = ctx.inputResponses?.name;
    if (given && args.state) return text(`kept: ${ctx.requestState === args.state}`);
    if (given) return text(`hello ${given.content?.name} state=${ctx.requestState}`);
    return {
      resultType: "input_required",
      inputRequests: { name: { method: "elicitation/create", params } },
      requestState: args.state ?? "opaque-1",
    };
  }

  /** @param {string} url */
  function requireAddress(url) {
    isRequired = !isRequired;
    if (!isRequired) return text("opened");
    const elicitations = [{ mode: "url", message: "Sign in", url, elicitationId: "e-3" }];
    throw { code: -32042, message: "Sign in first", data: { elicitations } };
  }

  /** @param {number} count @param {Context} ctx */
  async function askMany(count, ctx) {
    const question = QUESTIONS.form;
    const keys = Array.from({ length: count }, (_, i) => `q${i}`);
    if (ctx.era !== "modern")
      return text(JSON.stringify(await Promise.all(keys.map(() => ctx.request?.(question.method, question.params)))));
    if (ctx.inputResponses) return text(JSON.stringify(Object.values(ctx.inputResponses)));
    return { resultType: "input_required", inputRequests: Object.fromEntries(keys.map((key) => [key, question])) };
  }

  /** @param {string} kind @param {Context} ctx */
  async function askKind(kind, ctx) {
    const question = QUESTIONS[kind];
    if (ctx.era !== "modern") return text(JSON.stringify(await ctx.request?.(question.method, question.params)));
    const given = ctx.inputResponses?.it;
    return given ? text(JSON.stringify(given)) : { resultType: "input_required", inputRequests: { it: question } };
  }

  /** @param {string} name @param {Json} args @param {Context} ctx @returns {Promise<any>} */
  async function callTool(name, args, ctx) {
    counters.calls++;
    switch (name) {
      case "echo":
        return text(JSON.stringify(args));
      case "big":
        return text("x".repeat((args.kb ?? 1) * 1024));
      case "slow":
        try {
          await sleep(args.ms ?? 0, ctx.signal);
        } catch {
          counters.cancelled++;
          return undefined;
        }
        return text(`slept ${args.ms}`);
      case "fail":
        return { ...text(args.message ?? "failed on purpose"), isError: true };
      case "rpc_error":
        throw {
          code: -32099,
          message: args.size ? "m".repeat(args.size) : (args.message ?? "error on purpose"),
          data: args.data ?? { kept: true },
        };
      case "crash":
        setTimeout(() => process.exit(7), 5);
        return new Promise(() => {});
      case "progress":
        return progress(args, ctx);
      case "mutate":
        mutate(args.description);
        return text(`rev ${revision}`);
      case "add_tool":
        removed.delete(args.name);
        added = [...added.filter((t) => t.name !== args.name), { inputSchema: object(), ...args }];
        changed();
        return text(`added ${args.name}`);
      case "remove_tool":
        removed.add(args.name);
        changed();
        return text(`removed ${args.name}`);
      case "structured": {
        const squared = { n: args.n ?? 2, square: (args.n ?? 2) ** 2 };
        return { ...text(JSON.stringify(squared)), structuredContent: squared };
      }
      case "content":
        return {
          content: [
            { type: "text", text: "text", annotations: { audience: ["user"], priority: 0.5 } },
            { type: "image", data: PNG, mimeType: "image/png" },
            { type: "audio", data: WAV, mimeType: "audio/wav" },
            { type: "resource_link", uri: "test://one", name: "one", mimeType: "text/plain" },
            { type: "resource", resource: { uri: "test://one", mimeType: "text/plain", text: "embedded" } },
          ],
          _meta: { "test/result": "kept" },
        };
      case "raw":
        return new Raw(args.json ?? '{"content":[]}');
      case "ask":
        return ask(args, ctx);
      case "stats":
        return text(JSON.stringify({ ...counters, pid: process.pid, transport, revision }));
      case "environment":
        return text(JSON.stringify({ env: process.env, cwd: process.cwd(), argv: process.argv.slice(2) }));
      case "write_note":
      case "delete_note":
      case "bare":
        return text(`${name} ${JSON.stringify(args)}`);
    }
    if (all().some((t) => t.name === name)) return text(JSON.stringify({ tool: name, args }));
    throw { code: -32602, message: `Unknown tool: ${name}` };
  }

  /**
   * Handles every method except `initialize`, which depends on the transport.
   * @param {string} method @param {Json} params @param {Context} ctx @returns {Promise<any>}
   */
  async function handle(method, params = {}, ctx = {}) {
    switch (method) {
      case "tools/list":
        return listTools(params.cursor);
      case "tools/call":
        return callTool(params.name, params.arguments ?? {}, ctx);
      case "ping":
        counters.pings++;
        return {};
      case "resources/list":
        return { resources: [{ uri: "test://one", name: "one", mimeType: "text/plain" }] };
      case "resources/read":
        return { contents: [{ uri: params.uri, mimeType: "text/plain", text: `body of ${params.uri}` }] };
      case "prompts/list":
        return { prompts: [{ name: "greet", description: "Greets", arguments: [{ name: "who", required: true }] }] };
      case "prompts/get":
        return { messages: [{ role: "user", content: { type: "text", text: `Greet ${params.arguments?.who}` } }] };
      case "logging/setLevel":
        return {};
    }
    throw { code: -32601, message: `Method not found: ${method}` };
  }

  const capabilities = {
    tools: flags["no-list-changed"] ? {} : { listChanged: true },
    resources: {},
    prompts: {},
    logging: {},
  };
  const serverInfo = { name: `${flags.name ?? "echo"}${repeated}`, version: "1.0.0" };

  return {
    counters,
    handle,
    capabilities,
    serverInfo,
    instructions,
    era: flags.era ?? "legacy",
    /** @param {Json} params */
    async initialize(params) {
      counters.initializes++;
      if (flags["init-delay"]) await sleep(Number(flags["init-delay"]));
      const asked = params?.protocolVersion;
      const protocolVersion = flags.revision ?? (LEGACY.includes(asked) ? asked : LEGACY[0]);
      return { protocolVersion, capabilities, serverInfo, instructions };
    },
    /** The response to `server/discover` of protocol version 2026-07-28. */
    discover() {
      return {
        resultType: "complete",
        supportedVersions: flags.era === "modern" ? MODERN : [...MODERN, ...LEGACY],
        capabilities,
        instructions,
        ttlMs: 0,
        cacheScope: "private",
        _meta: { [`${META}serverInfo`]: serverInfo },
      };
    },
    /** @param {() => void} listener */
    onListChanged(listener) {
      listeners.add(listener);
    },
  };
}

/** The text of one response; `Raw` results keep their bytes. @param {unknown} id @param {unknown} result */
export function answerText(id, result) {
  if (result instanceof Raw) return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result.json}}`;
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

/** @param {unknown} id @param {any} thrown */
export function errorText(id, thrown) {
  const error = { code: thrown?.code ?? -32603, message: String(thrown?.message ?? thrown), data: thrown?.data };
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error });
}

/** @param {string[]} [argv] @returns {Json} */
export function readFlags(argv = process.argv.slice(2)) {
  /** @type {Json} */
  const flags = {};
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (!word.startsWith("--")) continue;
    const cut = word.indexOf("=");
    const key = word.slice(2, cut > 0 ? cut : undefined);
    const next = argv[i + 1];
    if (cut > 0) flags[key] = word.slice(cut + 1);
    else if (next !== undefined && !next.startsWith("--")) flags[key] = argv[++i];
    else flags[key] = true;
  }
  return flags;
}
