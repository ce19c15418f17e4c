// @ts-check
/**
 * A server of 2025-11-25 over standard input and output whose tool `work` runs as a task and reports its state and progress.
 * Its process ends all tasks at the tool `finish`, and a task that is made with `hurry` just after the answer.
 */
import { createInterface } from "node:readline";

/** @typedef {Record<string, any>} Json */

/** @param {Json} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
/** @param {string} text */
const said = (text) => ({ content: [{ type: "text", text }] });

/** @type {Map<string, { task: Json, token: unknown }>} */
const tasks = new Map();

/** @param {Json} call */
function create({ _meta }) {
  const now = new Date().toISOString();
  const taskId = `t-${tasks.size + 1}`;
  const task = { taskId, status: "working", createdAt: now, lastUpdatedAt: now, ttl: 600_000, pollInterval: 50 };
  tasks.set(taskId, { task, token: _meta?.progressToken });
  return { task };
}

/** Reports progress of every task, and that it has ended. */
function finish() {
  for (const { task, token } of tasks.values()) {
    if (token !== undefined)
      send({ method: "notifications/progress", params: { progressToken: token, progress: 1, total: 2 } });
    Object.assign(task, { status: "completed", statusMessage: "all done" });
    send({ method: "notifications/tasks/status", params: task });
  }
  return said(`finished ${tasks.size}`);
}

const TOOLS = [
  { name: "work", description: "Works.", inputSchema: { type: "object" }, execution: { taskSupport: "optional" } },
  { name: "finish", description: "Ends every task.", inputSchema: { type: "object" } },
];

/** @param {string} method @param {Json} params @returns {Json} */
function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
        serverInfo: { name: "tasks", version: "1" },
      };
    case "tools/list":
      return { tools: TOOLS };
    case "tools/call":
      if (params.name === "finish") return finish();
      return params.task ? create(params) : said("done at once");
    case "ping":
      return {};
    case "tasks/get": {
      const known = tasks.get(params.taskId);
      if (known) return known.task;
      throw { code: -32602, message: "no such task" };
    }
    case "tasks/result":
      return said("worked");
  }
  throw { code: -32601, message: `Method not found: ${method}` };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  try {
    send({ id, result: answer(method, params) });
    if (params.arguments?.hurry) finish();
  } catch (error) {
    send({ id, error });
  }
});
