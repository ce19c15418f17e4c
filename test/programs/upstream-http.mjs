// @ts-check
/**
 * An MCP server over streamable HTTP: `node test/programs/upstream-http.mjs --port 0`. When it listens it prints one
 * line on standard output: {"url":"http://127.0.0.1:PORT/mcp","pid":N}.
 *
 * Flags: those of core.mjs, and:
 *   --port n              default 0: any free port
 *   --response json|sse   how answers come (default json)
 *   --stateless           no sessions
 *   --no-stream           405 for the GET stream
 *   --stream-delay ms     opens the GET stream late
 *   --ask-apart           asks on the GET stream, naming no call; a question is lost while there is none
 *   --token secret        401 without `Authorization: Bearer secret`
 *   --status n            answers every request with this status
 *   --lost-status n       status for an unknown session (default 404)
 *   --redirect url        307 to url; `--redirect /path` stays on this origin (and serves there)
 *   --resumable           sends event ids; `--cut` closes the stream before the answer, which a GET with Last-Event-ID gets
 *   --huge mb             the tool `huge` answers with that many MiB (`--chunked`: without content-length)
 *   --garbage             answers tools/call with text that is no JSON
 *   --silent-drop         closes the connection of tools/call without an answer
 * A GET of /requests answers the headers seen so far, as JSON lines; any request to /cut-streams ends the GET streams.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { answerText, createCore, errorText, LEGACY, META, MODERN, readFlags } from "./core.mjs";

const flags = readFlags();
const core = createCore(flags, "http");
const sse = flags.response === "sse";
/** @typedef {{ streams: Set<http.ServerResponse>, asked: Map<unknown, (a: unknown) => void>, running: Map<unknown, AbortController> }} Session */
/** @type {Map<string, Session>} */
const sessions = new Map();
/** @type {Map<http.ServerResponse, unknown>} */
const listening = new Map();
/** @type {Map<string, string[]>} answers that wait for a resumed stream, by event id */
const parked = new Map();
/** @type {object[]} */
const seen = [];
let nextAsk = 1;
let nextEvent = 1;

/** @param {http.ServerResponse} res @param {number} status @param {string} body @param {http.OutgoingHttpHeaders} [headers] */
function json(res, status, body, headers) {
  res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers });
  res.end(body);
}
/** @param {http.ServerResponse} res @param {http.OutgoingHttpHeaders} [headers] */
const openStream = (res, headers) =>
  res.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", ...headers });
/** @param {http.ServerResponse} res @param {string} text */
const event = (res, text) =>
  res.write(`${flags.resumable ? `id: e${nextEvent++}\n` : ""}event: message\ndata: ${text}\n\n`);
const noSession = () => errorText(null, { code: -32001, message: "Session not found" });

core.onListChanged(() => {
  const message = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
  for (const s of sessions.values()) for (const r of s.streams) event(r, JSON.stringify(message));
  for (const [r, id] of listening)
    event(r, JSON.stringify({ ...message, params: { _meta: { [`${META}subscriptionId`]: id } } }));
});

/** @param {http.IncomingMessage} req @param {http.ServerResponse} res @param {string} body */
async function onPost(req, res, body) {
  /** @type {Record<string, any>} */
  let m;
  try {
    m = JSON.parse(body);
  } catch {
    return json(res, 400, errorText(null, { code: -32700, message: "Parse error" }));
  }
  const modern = m.params?._meta?.[`${META}protocolVersion`] !== undefined;
  if (modern && core.era === "legacy")
    return json(res, 400, errorText(m.id, { code: -32000, message: "Bad Request: Server not initialized" }));
  if (!modern && core.era === "modern")
    return json(
      res,
      400,
      errorText(m.id, { code: -32022, message: "Unsupported protocol version", data: { supported: MODERN } }),
    );
  if (modern) return onModern(req, res, m);
  if (m.method === "initialize") return onInitialize(res, m);

  const session = sessions.get(String(req.headers["mcp-session-id"]));
  if (!flags.stateless && !session) return json(res, Number(flags["lost-status"] ?? 404), noSession());
  if (m.method === undefined) {
    session?.asked.get(m.id)?.(m.result ?? m.error);
    session?.asked.delete(m.id);
    return void res.writeHead(202).end();
  }
  if (m.id === undefined) {
    if (m.method === "notifications/cancelled") session?.running.get(m.params?.requestId)?.abort();
    return void res.writeHead(202).end();
  }
  await answer(res, m, session, "legacy");
}

/** @param {http.ServerResponse} res @param {Record<string, any>} m */
async function onInitialize(res, m) {
  const text = answerText(m.id, await core.initialize(m.params));
  /** @type {http.OutgoingHttpHeaders} */
  const headers = {};
  if (!flags.stateless) {
    const id = randomUUID();
    sessions.set(id, { streams: new Set(), asked: new Map(), running: new Map() });
    headers["mcp-session-id"] = id;
  }
  if (!sse) return json(res, 200, text, headers);
  openStream(res, headers);
  event(res, text);
  res.end();
}

/** @param {http.IncomingMessage} req @param {http.ServerResponse} res @param {Record<string, any>} m */
async function onModern(req, res, m) {
  const meta = m.params._meta;
  const version = meta[`${META}protocolVersion`];
  if (m.id === undefined) return void res.writeHead(202).end();
  const mismatch = (/** @type {string} */ what) =>
    json(res, 400, errorText(m.id, { code: -32020, message: `Header mismatch: ${what}` }));
  if (req.headers["mcp-protocol-version"] !== version) return mismatch("MCP-Protocol-Version");
  if (!MODERN.includes(version))
    return json(
      res,
      400,
      errorText(m.id, {
        code: -32022,
        message: "Unsupported protocol version",
        data: { supported: [...MODERN, ...LEGACY] },
      }),
    );
  if (req.headers["mcp-method"] !== m.method) return mismatch("Mcp-Method");
  if (m.method === "tools/call" && decoded(req.headers["mcp-name"]) !== m.params.name) return mismatch("Mcp-Name");
  if (typeof meta[`${META}clientCapabilities`] !== "object")
    return json(res, 400, errorText(m.id, { code: -32602, message: "no client capabilities" }));
  if (m.method === "server/discover") return json(res, 200, answerText(m.id, core.discover()));
  if (m.method === "subscriptions/listen") {
    openStream(res);
    const params = { _meta: { [`${META}subscriptionId`]: m.id }, notifications: { toolsListChanged: true } };
    event(res, JSON.stringify({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params }));
    listening.set(res, m.id);
    return void res.on("close", () => listening.delete(res));
  }
  if (m.method === "ping" || m.method === "initialize")
    return json(res, 404, errorText(m.id, { code: -32601, message: "Method not found" }));
  await answer(res, m, undefined, "modern");
}

/** @param {string | string[] | undefined} value */
function decoded(value) {
  const packed = /^=\?base64\?(.*)\?=$/.exec(String(value ?? ""));
  return packed?.[1] !== undefined ? Buffer.from(packed[1], "base64").toString() : value;
}

/** @param {http.ServerResponse} res @param {Record<string, any>} m @param {Session | undefined} session @param {string} era */
async function answer(res, m, session, era) {
  const name = m.method === "tools/call" ? m.params?.name : undefined;
  if (name && flags["silent-drop"]) return void res.socket?.destroy();
  if (name && flags.garbage) return json(res, 200, "this is not JSON");
  if (name === "huge") return huge(res, m.id);
  const control = new AbortController();
  session?.running.set(m.id, control);
  if (era === "modern") res.on("close", () => !res.writableEnded && control.abort());
  const stream = () => res.headersSent || openStream(res);
  if (name && flags.cut) return cut(res, m);
  let out;
  try {
    const result = await core.handle(m.method, m.params, {
      era,
      signal: control.signal,
      progressToken: m.params?._meta?.progressToken,
      inputResponses: m.params?.inputResponses,
      requestState: m.params?.requestState,
      notify: (method, params) => {
        stream();
        event(res, JSON.stringify({ jsonrpc: "2.0", method, params }));
      },
      burst: (messages) => {
        stream();
        res.write(messages.map((x) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...x })}\n\n`).join(""));
      },
      request: (method, params) =>
        new Promise((done) => {
          const id = `s${nextAsk++}`;
          session?.asked.set(id, done);
          const question = JSON.stringify({ jsonrpc: "2.0", id, method, params });
          if (flags["ask-apart"]) for (const r of session?.streams ?? []) event(r, question);
          else {
            stream();
            event(res, question);
          }
        }),
    });
    if (result === undefined) return void res.end();
    out = answerText(m.id, era === "modern" && !("json" in result) ? { resultType: "complete", ...result } : result);
  } catch (e) {
    out = errorText(m.id, e);
  } finally {
    session?.running.delete(m.id);
  }
  if (!res.headersSent && !sse) return json(res, 200, out);
  stream();
  event(res, out);
  res.end();
}

/** Ends the stream after an event id; the answer waits for a GET that names it. @param {http.ServerResponse} res @param {Record<string, any>} m */
async function cut(res, m) {
  openStream(res);
  const id = `c${nextEvent++}`;
  res.write(`id: ${id}\nretry: 20\ndata:\n\n`);
  const out = answerText(m.id, await core.handle(m.method, m.params, {}));
  parked.set(id, [out]);
  res.end();
}

/** @param {http.ServerResponse} res @param {unknown} id */
async function huge(res, id) {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`;
  const count = Number(flags.huge ?? 1);
  const length = { "content-length": head.length + count * (1 << 20) + 5 };
  res.on("error", () => {});
  res.writeHead(200, { "content-type": "application/json", ...(flags.chunked ? {} : length) });
  res.write(head);
  const piece = Buffer.alloc(1 << 20, "y");
  const gone = new Promise((done) => res.once("close", done));
  for (let i = 0; i < count && !res.destroyed; i++)
    if (!res.write(piece)) await Promise.race([once(res, "drain"), gone]);
  res.end('"}]}}');
}

/** @param {http.IncomingMessage} req @param {http.ServerResponse} res */
async function onGet(req, res) {
  if (req.url === "/requests") return json(res, 200, seen.map((s) => JSON.stringify(s)).join("\n"));
  const session = sessions.get(String(req.headers["mcp-session-id"]));
  const resumed = parked.get(String(req.headers["last-event-id"]));
  if (flags["no-stream"] || (!session && !resumed) || core.era === "modern")
    return json(res, session || flags["no-stream"] ? 405 : 404, noSession());
  if (flags["stream-delay"]) await new Promise((done) => setTimeout(done, Number(flags["stream-delay"])));
  openStream(res);
  res.write(": open\n\n");
  if (resumed) {
    for (const text of resumed) event(res, text);
    return void res.end();
  }
  session?.streams.add(res);
  res.on("close", () => session?.streams.delete(res));
}

/** @param {http.IncomingMessage} req @param {http.ServerResponse} res */
function onRequest(req, res) {
  if (req.url !== "/requests") seen.push({ method: req.method, url: req.url, headers: req.headers });
  if (flags.status) return json(res, Number(flags.status), errorText(null, { code: -32000, message: "on purpose" }));
  if (flags.token && req.headers.authorization !== `Bearer ${flags.token}`)
    return json(res, 401, errorText(null, { code: -32000, message: "Unauthorized" }), { "www-authenticate": "Bearer" });
  if (flags.redirect && req.url !== flags.redirect && req.url !== "/requests")
    return void res.writeHead(307, { location: flags.redirect }).end();
  if (req.url === "/cut-streams") {
    for (const s of sessions.values()) for (const r of s.streams) r.end();
    return void res.end();
  }
  if (req.method === "GET") return onGet(req, res);
  if (req.method === "DELETE") {
    const id = String(req.headers["mcp-session-id"]);
    const session = sessions.get(id);
    for (const r of session?.streams ?? []) r.end();
    if (sessions.delete(id)) core.counters.sessionsDeleted++;
    return void res.writeHead(session ? 200 : 405).end();
  }
  /** @type {Buffer[]} */
  const chunks = [];
  req.on("data", (c) => chunks.push(c));
  req.on("end", () =>
    onPost(req, res, Buffer.concat(chunks).toString()).catch((e) => {
      if (!res.headersSent) json(res, 500, errorText(null, e));
      else res.end();
    }),
  );
}

const server = http.createServer(onRequest);
server.keepAliveTimeout = 65_000;
server.listen(Number(flags.port ?? 0), "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/mcp`, pid: process.pid })}\n`);
});
process.on("SIGTERM", () => process.exit(0));
