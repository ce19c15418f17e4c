// @ts-check
/**
 * An MCP server over standard streams that acts by itself: `acting-server.mjs FILE`. It appends a line to the file every
 * few milliseconds and for each call: the machine's monotonic time, its process id, and what it did.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file = ""] = process.argv.slice(2);
const act = (/** @type {string} */ what) =>
  appendFileSync(file, `${Number(process.hrtime.bigint() / 1000n) / 1000} ${process.pid} ${what}\n`);
const tools = [{ name: "act", inputSchema: { type: "object" } }];

/** @type {Record<string, (params: any) => unknown>} */
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "acting", version: "1" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call": ({ arguments: given }) => {
    act(`called:${given?.what ?? ""}`);
    return { content: [{ type: "text", text: String(process.pid) }] };
  },
};

setInterval(() => act("tick"), 15);
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answer = answers[method];
    const outcome = answer
      ? { result: answer(params ?? {}) }
      : { error: { code: -32601, message: `no method ${method}` } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`);
  })
  .on("close", () => process.exit(0));
