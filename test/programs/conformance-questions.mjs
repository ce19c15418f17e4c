// @ts-check
/** The tools with which the official conformance suite of protocol version 2026-07-28 tests questions during a call. */
import { META } from "./core.mjs";

/** @typedef {Record<string, any>} Json */

/** @param {string} text */
const done = (text) => ({ content: [{ type: "text", text }] });
/** @param {Json} inputRequests @param {string} [requestState] */
const ask = (inputRequests, requestState) => ({
  resultType: "input_required",
  inputRequests,
  ...(requestState && { requestState }),
});
/** @param {string} message @param {string} name @param {string} [type] */
const elicit = (message, name, type = "string") => ({
  method: "elicitation/create",
  params: {
    mode: "form",
    message,
    requestedSchema: { type: "object", properties: { [name]: { type } }, required: [name] },
  },
});
/** @param {string} text */
const sample = (text) => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 100 },
});
const roots = { method: "roots/list", params: {} };
/** @param {Json} params @returns {Json} */
const capabilities = ({ _meta }) => _meta[`${META}clientCapabilities`];

/** A tool that asks until every one of these has an answer. @param {Json} inputRequests @param {string} [state] */
const asks = (inputRequests, state) => (/** @type {unknown} */ _, /** @type {Json} */ params) => {
  const { inputResponses = {}, requestState } = params;
  if (Object.keys(inputRequests).some((key) => !(key in inputResponses))) return ask(inputRequests, state);
  if (state && requestState !== state) throw { code: -32602, message: "the state is not mine" };
  return done(state ? "state-ok" : `Hello, ${inputResponses.user_name?.content?.name ?? "you"}!`);
};

/**
 * @param {{ tools: () => void, prompts: () => void }} change changes a list and sends the notification
 * @returns {Record<string, { description: string, inputSchema?: Json, run: (progress: unknown, params: Json) => Json }>}
 */
export function questions(change) {
  const name = { user_name: elicit("What is your name?", "name") };
  return {
    test_input_required_result_elicitation: { description: "Asks for a name", run: asks(name) },
    test_input_required_result_sampling: {
      description: "Asks a model",
      run: asks({ capital_question: sample("What is the capital of France?") }),
    },
    test_input_required_result_list_roots: { description: "Asks for roots", run: asks({ client_roots: roots }) },
    test_input_required_result_request_state: {
      description: "Asks, and wants its state back",
      run: asks({ confirm: elicit("Please confirm", "ok", "boolean") }, "state-1"),
    },
    test_input_required_result_tampered_state: {
      description: "Asks, and wants its own state back",
      run: asks({ confirm: elicit("Please confirm", "ok", "boolean") }, "state-2"),
    },
    test_input_required_result_multiple_inputs: {
      description: "Asks for three things at once",
      run: asks({ ...name, greeting: sample("Generate a greeting"), client_roots: roots }, "state-3"),
    },
    test_input_required_result_multi_round: {
      description: "Asks twice",
      run(_, { inputResponses, requestState }) {
        if (requestState === "round-2" && inputResponses?.step2) return done("both answered");
        if (requestState === "round-1" && inputResponses?.step1)
          return ask({ step2: elicit("Step 2: What is your favorite color?", "color") }, "round-2");
        return ask({ step1: elicit("Step 1: What is your name?", "name") }, "round-1");
      },
    },
    test_input_required_result_capabilities: {
      description: "Asks for what can be asked for",
      run(_, params) {
        const { elicitation, sampling } = capabilities(params);
        return ask({ ...(sampling && { question: sample("Anything?") }), ...(elicitation && name) });
      },
    },
    test_missing_capability: {
      description: "Needs a client that can sample",
      run(_, params) {
        if (capabilities(params).sampling) return done("there is one");
        const data = { requiredCapabilities: { sampling: {} } };
        throw { code: -32021, message: "This tool needs sampling", data };
      },
    },
    test_streaming_elicitation: { description: "Asks on its way", run: asks(name) },
    test_logging_tool: { description: "Would log if it were asked to", run: () => done("nothing was logged") },
    test_trigger_tool_change: {
      description: "Changes the list of tools",
      run() {
        change.tools();
        return done("changed");
      },
    },
    test_trigger_prompt_change: {
      description: "Changes the list of prompts",
      run() {
        change.prompts();
        return done("changed");
      },
    },
    test_x_mcp_header: {
      description: "Wants its region in a header",
      inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
      run: (_, params) => done(String(params.arguments?.region)),
    },
  };
}
