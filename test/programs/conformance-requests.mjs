// @ts-check
/**
 * The tools with which the official conformance suite of protocol version 2025-11-25 tests requests and messages that a
 * server sends during a call.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {Record<string, any>} Json */
/**
 * @typedef {(method: string, params: Json) => Promise<Json>} Ask sends a request to the client and returns its result
 */
/** @typedef {(message: Json) => void} Send */

/** @param {string} text */
const done = (text) => ({ content: [{ type: "text", text }] });
/** @param {Json} properties */
const needs = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
/** @param {string[]} values */
const titled = (values) => values.map((value, i) => ({ const: value, title: `Option ${i + 1}` }));

const text = { type: "string" };

const DEFAULTS = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};

const ENUMS = {
  untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
  titledSingle: { type: "string", oneOf: titled(["value1", "value2", "value3"]) },
  legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option One", "Option Two"] },
  untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
  titledMulti: { type: "array", items: { anyOf: titled(["value1", "value2", "value3"]) } },
};

/**
 * @param {Ask} ask
 * @param {Send} send
 * @returns {Record<string, { description: string, inputSchema?: Json, run: (progress: unknown, params: Json) => Promise<Json> }>}
 */
export function requests(ask, send) {
  /** @param {Json} properties */
  const elicits = (properties) => async () => {
    const requestedSchema = { type: "object", properties };
    const { action, content } = await ask("elicitation/create", { message: "Please fill this in", requestedSchema });
    return done(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
  };
  return {
    test_sampling: {
      description: "Asks a model",
      inputSchema: needs({ prompt: text }),
      async run(_, { arguments: { prompt } }) {
        const messages = [{ role: "user", content: { type: "text", text: prompt } }];
        const { content } = await ask("sampling/createMessage", { messages, maxTokens: 100 });
        return done(`LLM response: ${content.text}`);
      },
    },
    test_elicitation: {
      description: "Asks for a user's name and address",
      inputSchema: needs({ message: text }),
      async run(_, { arguments: { message } }) {
        const requestedSchema = needs({ username: text, email: text });
        const { action, content } = await ask("elicitation/create", { message, requestedSchema });
        return done(`User response: action=${action}, content=${JSON.stringify(content)}`);
      },
    },
    test_elicitation_sep1034_defaults: { description: "Asks, and offers defaults", run: elicits(DEFAULTS) },
    test_elicitation_sep1330_enums: { description: "Asks for choices", run: elicits(ENUMS) },
    test_tool_with_logging: {
      description: "Logs what it does",
      async run() {
        for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
          send({ method: "notifications/message", params: { level: "info", data } });
          await sleep(50);
        }
        return done("logged");
      },
    },
  };
}
