// @ts-check
/**
 * An MCP server over standard streams that reacts to `server/discover` in an unusual way: `node
 * test/programs/upstream-odd.mjs <habit> <file>`. Each start and each request is written to the file, one a line.
 *
 *   exit           ends
 *   exit-slow      ends 300 ms later
 *   silent         does not answer
 *   garbage        writes lines that are no JSON
 *   no-id          answers with an error without an id
 *   text-id        answers with an error whose id is a string
 *   spoilt         answers with an error, and refuses every `initialize` after that
 *   other-result   answers with a result of another kind
 *   old-versions   offers only older protocol versions
 *   future         offers only a protocol version of the future
 *   refuses-once   refuses the first one although it speaks 2026-07-28, then answers
 *   late           reads nothing for 3 s, then speaks 2026-07-28; further starts are quick
 *   late-only      the same, and refuses `initialize`
 *   late-always    the same as `late`, but for 1.4 s at every start
 *   dead           ends at every first message
 */
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const MODERN = "2026-07-28";
const [habit = "", file = ""] = process.argv.slice(2);
/** @param {string} line */
const note = (line) => appendFileSync(file, `${line}\n`);
note("start");
const isFirst = readFileSync(file, "utf8").split("start\n").length === 2;
let spoilt = false;
let discovers = 0;

/** @param {object} message */
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
/** @param {unknown} id @param {object} result */
const answer = (id, result) => say({ id, result });
/** @param {unknown} id @param {number} code @param {object} [data] */
const refuse = (id, code, data) => say({ id, error: { code, message: "refused", ...(data && { data }) } });
/** @param {unknown} id @param {string[]} supportedVersions */
const offer = (id, supportedVersions) =>
  answer(id, {
    resultType: "complete",
    supportedVersions,
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: "private",
  });

/** @param {unknown} id */
function discover(id) {
  switch (habit) {
    case "exit":
    case "dead":
      process.exit(3);
      break;
    case "exit-slow":
      setTimeout(() => process.exit(0), 300);
      break;
    case "garbage":
      process.stdout.write("Unknown method!\n{]\n");
      break;
    case "no-id":
      return refuse(null, -32700);
    case "text-id":
      return refuse(String(id), -32601);
    case "spoilt":
      spoilt = true;
      return refuse(id, -32600);
    case "other-result":
      return answer(id, {});
    case "old-versions":
      return offer(id, ["2025-06-18", "2025-11-25"]);
    case "future":
      return offer(id, ["2099-01-01"]);
    case "refuses-once":
      return ++discovers === 1 ? refuse(id, -32022, { supported: [MODERN] }) : offer(id, [MODERN]);
    case "late":
    case "late-only":
    case "late-always":
      return offer(id, [MODERN]);
  }
}

/** @param {unknown} id @param {string} protocolVersion */
function initialize(id, protocolVersion) {
  if (habit === "dead") process.exit(3);
  if (spoilt) return refuse(id, -32600);
  if (habit === "late-only" || habit === "future") return refuse(id, -32022, { supported: [MODERN] });
  answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: habit, version: "1" } });
}

function read() {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    note(method);
    if (method === "server/discover") discover(id);
    else if (method === "initialize") initialize(id, params.protocolVersion);
    else if (method === "tools/list") answer(id, { tools: [{ name: "hi", inputSchema: { type: "object" } }] });
    else if (method === "tools/call") answer(id, { content: [{ type: "text", text: "hi" }] });
    else if (method !== "subscriptions/listen") answer(id, {});
  });
}
if (habit === "late-always") setTimeout(read, 1400);
else if (habit.startsWith("late") && isFirst) setTimeout(read, 3000);
else read();
