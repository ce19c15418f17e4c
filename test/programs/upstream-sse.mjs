// @ts-check
/**
 * An MCP server over the HTTP+SSE transport of 2024-11-05: GET /sse opens the stream, POST goes to the announced
 * endpoint. When it listens it prints one line: {"url":"http://127.0.0.1:PORT/sse","pid":N}.
 *
 * Flags: those of core.mjs, and:
 *   --port n              default 0: any free port
 *   --endpoint url        announces this endpoint instead of its own (to try another origin)
 *   --token secret        401 without `Authorization: Bearer secret`
 *   --drop-after ms       ends each stream after so long
 */
import { randomUUID } from "node:crypto";
import http from "node:http";
import { answerText, createCore, errorText, readFlags } from "./core.mjs";

const flags = readFlags();
const core = createCore({ ...flags, revision: flags.revision ?? "2024-11-05" }, "sse");
/** @type {Map<string, { res: http.ServerResponse, running: Map<unknown, AbortController>, asked: Map<unknown, (a: unknown) => void> }>} */
const streams = new Map();
let nextAsk = 1;

/** @param {http.ServerResponse} res @param {string} text */
const event = (res, text) => res.write(`event: message\ndata: ${text}\n\n`);
core.onListChanged(() => {
  for (const s of streams.values()) event(s.res, '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
});

/** @param {http.ServerResponse} res */
function open(res) {
  const id = randomUUID();
  res.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  res.write(`event: endpoint\ndata: ${flags.endpoint ?? `/messages?sessionId=${id}`}\n\n`);
  streams.set(id, { res, running: new Map(), asked: new Map() });
  res.on("close", () => streams.delete(id));
  if (flags["drop-after"]) setTimeout(() => res.destroy(), Number(flags["drop-after"]));
}

/** @param {string} id @param {Record<string, any>} m */
async function onMessage(id, m) {
  const s = streams.get(id);
  if (!s) return;
  if (m.method === undefined) {
    s.asked.get(m.id)?.(m.result ?? m.error);
    return;
  }
  if (m.id === undefined) {
    if (m.method === "notifications/cancelled") s.running.get(m.params?.requestId)?.abort();
    return;
  }
  const control = new AbortController();
  s.running.set(m.id, control);
  try {
    const result =
      m.method === "initialize"
        ? await core.initialize(m.params)
        : await core.handle(m.method, m.params, {
            era: "legacy",
            signal: control.signal,
            progressToken: m.params?._meta?.progressToken,
            notify: (method, params) => event(s.res, JSON.stringify({ jsonrpc: "2.0", method, params })),
            burst: (all) => {
              for (const x of all) event(s.res, JSON.stringify({ jsonrpc: "2.0", ...x }));
            },
            request: (method, params) =>
              new Promise((done) => {
                const ask = `s${nextAsk++}`;
                s.asked.set(ask, done);
                event(s.res, JSON.stringify({ jsonrpc: "2.0", id: ask, method, params }));
              }),
          });
    if (result !== undefined) event(s.res, answerText(m.id, result));
  } catch (e) {
    event(s.res, errorText(m.id, e));
  } finally {
    s.running.delete(m.id);
  }
}

const server = http.createServer((req, res) => {
  const url = new URL(req.url ?? "/", "http://127.0.0.1");
  if (flags.token && req.headers.authorization !== `Bearer ${flags.token}`) return void res.writeHead(401).end();
  if (req.method === "GET" && url.pathname === "/sse") return open(res);
  const id = url.searchParams.get("sessionId") ?? "";
  if (req.method !== "POST" || url.pathname !== "/messages") return void res.writeHead(405).end();
  if (!streams.has(id)) return void res.writeHead(404).end("no such session");
  /** @type {Buffer[]} */
  const chunks = [];
  req.on("data", (c) => chunks.push(c));
  req.on("end", () => {
    res.writeHead(202).end("Accepted");
    onMessage(id, JSON.parse(Buffer.concat(chunks).toString())).catch((e) => process.stderr.write(`${e}\n`));
  });
});
server.keepAliveTimeout = 65_000;
server.listen(Number(flags.port ?? 0), "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/sse`, pid: process.pid })}\n`);
});
process.on("SIGTERM", () => process.exit(0));
