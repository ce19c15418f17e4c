// @ts-check
/** The prompts, resources and completions that the official conformance suite requests by fixed names. */
import { META } from "./core.mjs";

/** @typedef {Record<string, any>} Json */
/** @typedef {{ description: string, arguments?: Json[], messages: (args: Json, params: Json) => Json }} Prompt */

/** @param {string} text */
const says = (text) => ({ role: "user", content: { type: "text", text } });
/** @param {string} name @param {string} description */
const required = (name, description) => ({ name, description, required: true });

/** @param {string} png */
export function createItems(png) {
  let changes = 0;

  /** @type {Record<string, Prompt>} */
  const prompts = {
    test_simple_prompt: {
      description: "A prompt without arguments",
      messages: () => [says("This is a simple prompt for testing.")],
    },
    test_prompt_with_arguments: {
      description: "A prompt with two arguments",
      arguments: [required("arg1", "First test argument"), required("arg2", "Second test argument")],
      messages: ({ arg1, arg2 }) => [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    },
    test_prompt_with_embedded_resource: {
      description: "A prompt that embeds a resource",
      arguments: [required("resourceUri", "URI of the resource to embed")],
      messages: ({ resourceUri: uri }) => [
        {
          role: "user",
          content: {
            type: "resource",
            resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
          },
        },
        says("Please process the embedded resource above."),
      ],
    },
    test_prompt_with_image: {
      description: "A prompt with an image",
      messages: () => [
        { role: "user", content: { type: "image", data: png, mimeType: "image/png" } },
        says("Please analyze the image above."),
      ],
    },
  };

  /** A prompt of 2026-07-28 that asks the user before it answers. @type {Prompt} */
  const asking = {
    description: "A prompt that asks for its context",
    messages: (_, { inputResponses }) => [says(`Context: ${inputResponses.user_context.content?.context}`)],
  };
  const question = {
    user_context: {
      method: "elicitation/create",
      params: {
        mode: "form",
        message: "What context should the prompt use?",
        requestedSchema: { type: "object", properties: { context: { type: "string" } }, required: ["context"] },
      },
    },
  };

  /** @type {Record<string, Json>} */
  const resources = {
    "test://static-text": {
      mimeType: "text/plain",
      text: "This is the content of the static text resource.",
    },
    "test://static-binary": { mimeType: "image/png", blob: png },
    "test://watched-resource": { mimeType: "text/plain", text: "Watched resource content" },
  };

  /** @param {string} uri */
  const read = (uri) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id) {
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return { uri, mimeType: "application/json", text };
    }
    const found = resources[uri];
    if (!found) throw { code: -32002, message: "Resource not found", data: { uri } };
    return { uri, ...found };
  };

  return {
    /** Changes the list of prompts. */
    change() {
      changes++;
    },

    /**
     * @param {string} method @param {Json} params
     * @returns {Json | undefined} undefined for a method about something else
     */
    answer(method, params) {
      const modern = params._meta?.[`${META}protocolVersion`] !== undefined;
      const offered = modern ? { ...prompts, test_input_required_result_prompt: asking } : prompts;
      switch (method) {
        case "prompts/list":
          return {
            prompts: Object.entries(offered).map(([name, { description, arguments: args }]) => ({
              name,
              description: name === "test_simple_prompt" ? `${description} (changed ${changes} times)` : description,
              ...(args && { arguments: args }),
            })),
          };
        case "prompts/get": {
          const prompt = offered[params.name];
          if (!prompt) throw { code: -32602, message: `Unknown prompt: ${params.name}` };
          if (prompt === asking && !params.inputResponses?.user_context)
            return { resultType: "input_required", inputRequests: question };
          return { messages: prompt.messages(params.arguments ?? {}, params) };
        }
        case "resources/list":
          return {
            resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
          };
        case "resources/templates/list":
          return {
            resourceTemplates: [
              { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" },
            ],
          };
        case "resources/read":
          return { contents: [read(params.uri)] };
        case "completion/complete":
          return { completion: { values: ["paris", "park", "party"], total: 3, hasMore: false } };
      }
      return undefined;
    },
  };
}
