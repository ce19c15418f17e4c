// @ts-check
/**
 * An MCP server over standard streams with the tools, prompts and resources that the official conformance suite
 * requests by fixed names: `node test/programs/conformance-upstream.mjs`, with `--era modern` it speaks only
 * 2026-07-28, and its tools ask for input. With `--era both` it also accepts `initialize`; clients of the older version
 * get the tools that ask in the way of the newer one.
 */
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import { createItems } from "./conformance-items.mjs";
import { questions } from "./conformance-questions.mjs";
import { requests } from "./conformance-requests.mjs";
import { createTasks } from "./conformance-tasks.mjs";
import { META, readFlags } from "./core.mjs";

const { era = "legacy" } = readFlags();
const modern = era !== "legacy";

/** @typedef {Record<string, any>} Json */
/** @typedef {{ description: string, inputSchema?: Json, run: (progress: (done: number) => void, params: Json) => Json | Promise<Json> }} Tool */

// One red pixel, and a sound of no length.
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

/** @param {string} text */
const text = (text) => ({ type: "text", text });
const image = { type: "image", data: PNG, mimeType: "image/png" };

/** @type {Record<string, Tool>} */
const TOOLS = {
  test_simple_text: {
    description: "Answers a sentence",
    run: () => ({ content: [text("This is a simple text response for testing.")] }),
  },
  test_image_content: {
    description: "Answers an image",
    run: () => ({ content: [image] }),
  },
  test_audio_content: {
    description: "Answers a sound",
    run: () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }),
  },
  test_embedded_resource: {
    description: "Answers a resource with its text",
    run: () => ({
      content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    }),
  },
  test_multiple_content_types: {
    description: "Answers a text, an image and a resource",
    run: () => ({
      content: [
        text("Multiple content types test:"),
        image,
        resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ],
    }),
  },
  test_error_handling: {
    description: "Always fails",
    run: () => ({ content: [text("This tool intentionally returns an error for testing")], isError: true }),
  },
  test_tool_with_progress: {
    description: "Reports its progress",
    async run(progress) {
      for (const done of [0, 50, 100]) {
        progress(done);
        await sleep(50);
      }
      return { content: [text("done")] };
    },
  },
  test_reconnection: {
    description: "Takes a moment",
    async run() {
      await sleep(100);
      return { content: [text("answered after a moment")] };
    },
  },
  json_schema_2020_12_tool: {
    description: "Has a schema with features of JSON Schema 2020-12",
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" }, kind: { type: "string" } },
      allOf: [{ anyOf: [{ required: ["name"] }, { required: ["address"] }] }],
      if: { properties: { kind: { const: "person" } }, required: ["kind"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["name"] },
      else: { required: ["address"] },
      additionalProperties: false,
    },
    run: () => ({ content: [text("never asked for")] }),
  },
  ...(modern
    ? questions({
        tools() {
          changed++;
          announce("tools");
        },
        prompts() {
          items.change();
          announce("prompts");
        },
      })
    : requests(ask, send)),
};

const tasks = modern ? createTasks(reportTask) : undefined;
Object.assign(TOOLS, tasks?.tools);

const items = createItems(PNG);

/** The `subscriptions/listen` requests that are open, with their filters. @type {Map<unknown, Json>} */
const listening = new Map();

/** @param {Json} task */
function reportTask(task) {
  for (const [id, filter] of listening)
    if (filter.taskIds?.includes(task.taskId))
      send({ method: "notifications/tasks", params: { ...task, _meta: { [`${META}subscriptionId`]: id } } });
}

let changed = 0;

/** @param {"tools" | "prompts"} list */
function announce(list) {
  for (const [id, filter] of listening)
    if (filter?.[`${list}ListChanged`])
      send({ method: `notifications/${list}/list_changed`, params: { _meta: { [`${META}subscriptionId`]: id } } });
}

/** Continuations by the ID of a request to the client. @type {Map<unknown, (message: Json) => void>} */
const asked = new Map();
let asks = 0;

/** @param {string} method @param {Json} params @returns {Promise<Json>} */
function ask(method, params) {
  const id = `ask-${++asks}`;
  send({ id, method, params });
  return new Promise((resolve, reject) => {
    asked.set(id, ({ result, error }) => (result ? resolve(result) : reject(error)));
  });
}

/** @param {string} uri @param {string} mimeType @param {string} text */
function resource(uri, mimeType, text) {
  return { type: "resource", resource: { uri, mimeType, text } };
}

/** @param {Json} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** @param {Json} params */
async function call(params) {
  const { name, _meta } = params;
  const tool = TOOLS[name];
  if (!tool) throw { code: -32602, message: `Unknown tool: ${name}` };
  const progressToken = _meta?.progressToken;
  return tool.run((progress) => {
    if (progressToken === undefined) return;
    send({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
  }, params);
}

const CAPABILITIES = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {}, completions: {} };

/** @param {string} method @param {Json} params */
async function answer(method, params) {
  switch (method) {
    case "server/discover":
      if (!modern) break;
      return { supportedVersions: ["2026-07-28"], capabilities: { ...CAPABILITIES, extensions: tasks?.extensions } };
    case "initialize":
      if (era === "modern") throw { code: -32022, message: "Unsupported protocol version" };
      return {
        protocolVersion: "2025-11-25",
        capabilities: { ...CAPABILITIES, ...(!modern && { resources: { subscribe: true }, logging: {} }) },
        serverInfo: { name: "conformance-upstream", version: "1.0.0" },
      };
    case "tools/list":
      return {
        tools: Object.entries(TOOLS).map(([name, { description, inputSchema = { type: "object" } }]) => ({
          name,
          description: name === "test_trigger_tool_change" ? `${description} (${changed} times so far)` : description,
          inputSchema,
        })),
      };
    case "tools/call":
      return call(params);
    case "resources/subscribe":
    case "resources/unsubscribe":
    case "logging/setLevel":
      if (modern) break;
      return {};
    case "ping":
      return {};
  }
  const task = tasks?.answer(method, params);
  if (task) return task;
  const item = items.answer(method, params);
  if (item) return item;
  throw { code: -32601, message: `Method not found: ${method}` };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const { id, method, params = {} } = message;
  if (id === undefined) return;
  if (method === undefined) {
    asked.get(id)?.(message);
    asked.delete(id);
    return;
  }
  if (modern && method === "subscriptions/listen") {
    const { notifications } = params;
    listening.set(id, notifications);
    const _meta = { [`${META}subscriptionId`]: id };
    return send({ method: "notifications/subscriptions/acknowledged", params: { _meta, notifications } });
  }
  answer(method, params).then(
    (result) => send({ id, result: modern ? { resultType: "complete", ...result } : result }),
    ({ code = -32603, message, data }) => send({ id, error: { code, message, data } }),
  );
});
