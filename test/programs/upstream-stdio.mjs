// @ts-check
/**
 * An MCP server over standard streams: `node test/programs/upstream-stdio.mjs --name x --tools 5`.
 *
 * Flags: those of core.mjs, and these bad habits:
 *   --garbage ms          prints a line that is no JSON every ms (0: as fast as it can)
 *   --flood ms            announces tools/list_changed every ms (0: as fast as it can)
 *   --stderr ms           writes to stderr every ms
 *   --bom                 writes a byte order mark in front of its first line
 *   --deaf                answers the handshake, then never reads again
 *   --mute                never answers anything
 *   --exit-after ms       exits with code 3
 *   --fail-starts f:n     exits with code 4 on the first n starts, counted in file f
 *   --mark-start f        writes the file f when it starts
 *   --ignore-sigterm      goes on after SIGTERM and after its input ends
 *   --tree n              has n children, each with a child; half of them leave the process group;
 *                         their pids are in the `stats` answer under `tree`
 *   --daemons n           has n grandchildren with a session of their own, an empty environment, no living parent and no
 *                         ear for SIGTERM, which hold its stderr open; their pids are in `stats` under `tree`
 *   --huge-line mb        the tool `huge` answers with one line of that many MiB
 *   --chunk n             writes its answers in pieces of n bytes
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { answerText, createCore, errorText, LEGACY, META, MODERN, readFlags } from "./core.mjs";

const flags = readFlags();
if (flags["mark-start"]) writeFileSync(flags["mark-start"], "");
if (flags["fail-starts"]) failStarts(flags["fail-starts"]);
if (flags.bom !== undefined) process.stdout.write("\uFEFF");
const core = createCore(flags, "stdio");
const tree = flags.tree ? grow(Number(flags.tree)) : flags.daemons ? letGo(Number(flags.daemons)) : [];

/** @param {string} file as `path:count` */
function failStarts(file) {
  const cut = file.lastIndexOf(":");
  const path = file.slice(0, cut);
  const done = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
  if (done >= Number(file.slice(cut + 1))) return;
  writeFileSync(path, String(done + 1));
  process.stderr.write(`failing on purpose, start ${done + 1}\n`);
  process.exit(4);
}

/**
 * Starts children that each start a grandchild and ignore SIGTERM; every second one is in a separate session. @param
 * {number} n
 */
function grow(n) {
  const code = `
    process.on("SIGTERM", () => {});
    const { spawn } = require("node:child_process");
    const inner = spawn(process.execPath, ["-e", "process.on('SIGTERM',()=>{});setInterval(()=>{},1000)"], { stdio: "ignore", detached: true });
    process.stdout.write(inner.pid + "\\n");
    setInterval(() => {}, 1000);`;
  /** @type {number[]} */
  const pids = [];
  for (let i = 0; i < n; i++) {
    const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "ignore"], detached: i % 2 === 1 });
    pids.push(Number(child.pid));
    child.stdout.on("data", (d) => pids.push(Number(String(d).trim())));
  }
  return pids;
}

/** Starts daemons with a double fork. @param {number} n */
function letGo(n) {
  const loop = `trap "" TERM HUP; while :; do sleep 1; done`;
  const script = `setsid sh -c '${loop}' <&- >&2 & echo $!`;
  return Array.from({ length: n }, () => {
    const stdio = /** @type {const} */ (["ignore", "pipe", "inherit"]);
    return Number(execFileSync("/bin/sh", ["-c", script], { env: {}, stdio, encoding: "utf8" }));
  });
}

/** Lines that wait for the current one. @type {string[] | undefined} */
let waiting;

/** @param {string} line */
function sendText(line) {
  if (waiting) return void waiting.push(line);
  const size = Number(flags.chunk ?? 0);
  if (!size) return void process.stdout.write(`${line}\n`);
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; at += size) process.stdout.write(bytes.subarray(at, at + size));
}
/** @param {object} message */
const send = (message) => sendText(JSON.stringify({ jsonrpc: "2.0", ...message }));

/** @type {Map<unknown, (answer: unknown) => void>} */
const asked = new Map();
/** @type {Map<unknown, AbortController>} */
const running = new Map();
/** @type {Set<unknown>} */
const listening = new Set();
let nextAsk = 1;
let ready = false;

function announce() {
  if (ready) send({ method: "notifications/tools/list_changed" });
  for (const id of listening)
    send({ method: "notifications/tools/list_changed", params: { _meta: { [`${META}subscriptionId`]: id } } });
}
core.onListChanged(announce);

/** @param {Record<string, any>} m */
async function onMessage(m) {
  if (flags.mute) return;
  if (m.method === undefined) {
    asked.get(m.id)?.(m.result ?? m.error);
    asked.delete(m.id);
    return;
  }
  if (m.id === undefined) {
    if (m.method === "notifications/initialized") afterHandshake();
    if (m.method === "notifications/cancelled") {
      running.get(m.params?.requestId)?.abort();
      listening.delete(m.params?.requestId);
    }
    return;
  }
  const modern = m.params?._meta?.[`${META}protocolVersion`] !== undefined;
  if (modern && core.era === "legacy") return sendText(errorText(m.id, { code: -32601, message: "Method not found" }));
  if (!modern && core.era === "modern")
    return sendText(
      errorText(m.id, { code: -32022, message: "Unsupported protocol version", data: { supported: MODERN } }),
    );
  if (modern && !MODERN.includes(m.params._meta[`${META}protocolVersion`]))
    return sendText(
      errorText(m.id, {
        code: -32022,
        message: "Unsupported protocol version",
        data: { supported: [...MODERN, ...LEGACY] },
      }),
    );
  if (m.method === "initialize") {
    const result = await core.initialize(m.params);
    ready = true;
    return sendText(answerText(m.id, result));
  }
  if (m.method === "server/discover" && modern) {
    sendText(answerText(m.id, core.discover()));
    return afterHandshake();
  }
  if (m.method === "subscriptions/listen" && modern) {
    listening.add(m.id);
    const params = { _meta: { [`${META}subscriptionId`]: m.id }, notifications: { toolsListChanged: true } };
    return send({ method: "notifications/subscriptions/acknowledged", params });
  }
  await answer(m, modern);
}

/** @param {Record<string, any>} m @param {boolean} modern */
async function answer(m, modern) {
  const control = new AbortController();
  running.set(m.id, control);
  /** @type {string[]} */
  let held = [];
  try {
    const result = await core.handle(m.method, m.params, {
      era: modern ? "modern" : "legacy",
      signal: control.signal,
      progressToken: m.params?._meta?.progressToken,
      inputResponses: m.params?.inputResponses,
      requestState: m.params?.requestState,
      notify: (method, params) => send({ method, params }),
      burst: (messages) => {
        held = messages.map((x) => JSON.stringify({ jsonrpc: "2.0", ...x }));
      },
      request: (method, params) =>
        new Promise((done) => {
          const id = `s${nextAsk++}`;
          asked.set(id, done);
          send({ id, method, params });
        }),
    });
    if (result === undefined) return;
    if (m.params?.name === "stats")
      result.content[0].text = JSON.stringify({ ...JSON.parse(result.content[0].text), tree });
    const whole = modern ? { resultType: "complete", ...result } : result;
    sendText([...held, answerText(m.id, whole)].join("\n"));
  } catch (e) {
    if (m.params?.name === "huge") return huge(m.id);
    sendText(errorText(m.id, e));
  } finally {
    running.delete(m.id);
  }
}

/** Writes one line of many MiB in pieces, so that this program uses little memory. @param {unknown} id */
async function huge(id) {
  const piece = "y".repeat(1 << 20);
  /** @type {string[]} */
  const held = [];
  waiting = held;
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
  for (let i = 0; i < Number(flags["huge-line"] ?? 1); i++)
    if (!process.stdout.write(piece)) await new Promise((done) => process.stdout.once("drain", done));
  process.stdout.write('"}]}}\n');
  waiting = undefined;
  for (const line of held) sendText(line);
}

let settled = false;
function afterHandshake() {
  if (settled) return;
  settled = true;
  if (flags.garbage !== undefined) again(flags.garbage, () => process.stdout.write("this is not JSON\n"));
  if (flags.flood !== undefined) again(flags.flood, announceRaw);
  if (flags.stderr !== undefined) again(flags.stderr, () => process.stderr.write("a line on stderr\n"));
  if (flags["exit-after"]) setTimeout(() => process.exit(3), Number(flags["exit-after"]));
  if (flags.deaf) {
    process.stdin.pause();
    setInterval(() => {}, 1000);
  }
}
const announceRaw = () => process.stdout.write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n');

/**
 * Repeats a write every `ms`; with 0 as fast as the pipe accepts it. @param {unknown} ms @param {() => boolean} write
 */
function again(ms, write) {
  if (Number(ms) > 0) return void setInterval(write, Number(ms));
  const pump = () => {
    for (let i = 0; i < 1000; i++) if (!write()) return void process.stdout.once("drain", pump);
    setImmediate(pump);
  };
  pump();
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    if (!line.trim()) continue;
    try {
      onMessage(JSON.parse(line)).catch((e) => process.stderr.write(`${e}\n`));
    } catch {
      sendText(errorText(null, { code: -32700, message: "Parse error" }));
    }
  }
});
if (flags["ignore-sigterm"]) {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
} else {
  process.stdin.on("end", () => process.exit(0));
  process.on("SIGTERM", () => process.exit(0));
}
process.stdout.on("error", () => process.exit(0));
