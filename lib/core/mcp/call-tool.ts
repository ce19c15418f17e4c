import * as v from "valibot";
import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { type CallRequest, callUpstreamTool } from "../gateway/call.ts";
import { withForwarded } from "../gateway/forwarded-request.ts";
import { mapToolUris, unmapToolArguments } from "../gateway/map-tool-uris.ts";
import { readArgs } from "../gateway/read-args.ts";
import { recordBlockedCall } from "../gateway/record-blocked-call.ts";
import { readIntent } from "../policy/intent.ts";
import { OPERATION_OF } from "../policy/permissions.ts";
import { splitToolId } from "../policy/tool-id.ts";
import { type CallIntent, SENSITIVITIES } from "../schema/call-intent.ts";
import type { Actor } from "../schema/caller.ts";
import type { McpObject, ToolAnnotations } from "../schema/mcp.ts";
import type { CallVariant } from "../schema/tool.ts";
import { cutAnswer } from "./cut-answer.ts";
import { type Tool, tool } from "./tool.ts";

/** The properties in which the three call variants differ. */
interface Variant {
  title: string;
  description: string;
  annotations: ToolAnnotations;
  searchHint: string;
}

const Input = v.looseObject({ name: v.pipe(v.string(), v.minLength(1)) });

/**
 * Makes one of the call variants: it calls an upstream's tool by its id, with an intent, if any, that fits the variant
 * (spec 001 §2.2, §4.1).
 */
export function callTool(variant: CallVariant, { title, description, annotations, searchHint }: Variant): Tool {
  return tool(variant, {
    title,
    description,
    modes: ["retrieve_tools"],
    annotations,
    searchHint,
    alwaysLoad: true,
    input: Input,
    inputSchema: inputSchema(OPERATION_OF[variant]),
    alsoTakes: ["intent_operation_type", "intent_data_sensitivity", "intent_reason"],
    async run(call) {
      const { app, caller, origin, input, signal } = call;
      const id = input.name.trim();
      const by = { caller, origin };
      const intent = declared(app, by, { variant, id, input, signal });
      const args = await unmapToolArguments(app, id, readArgs(input));
      const request: CallRequest = withForwarded(call, { id, args, variant, intent, signal });
      const reply = await mapToolUris(app, id, await callUpstreamTool(app, by, request));
      const passthrough = cutAnswer(app, caller, id, reply);
      return { passthrough, id: request.id };
    },
  });
}

/** Reads the intent of a call. A call with an invalid intent is rejected and recorded. @throws Fault intent_invalid */
function declared(
  app: App,
  by: Actor,
  { variant, id, input, signal }: Pick<CallRequest, "id" | "signal"> & { variant: CallVariant; input: McpObject },
): CallIntent {
  try {
    return readIntent(variant, input);
  } catch (error) {
    if (error instanceof Fault) {
      const { server = "", tool = id } = splitToolId(id) ?? {};
      const request = { id, args: {}, variant, signal };
      recordBlockedCall(app, by, { server, tool, request, reason: error.code, detail: error.message });
    }
    throw error;
  }
}

/**
 * The schema that clients are shown. Other accepted forms (flat intents, null for absent) are omitted, because they
 * would confuse a model.
 */
function inputSchema(operation: string): McpObject {
  return {
    type: "object",
    properties: {
      name: { type: "string", description: "id of the tool from the search result, server:tool" },
      args: { type: "object", description: "arguments of the tool, matching its inputSchema" },
      args_json: { type: "string", description: "the arguments as JSON text, for clients that cannot send objects" },
      intent: {
        type: "object",
        description: "purpose of the call; for the audit trail",
        properties: {
          operation_type: { type: "string", enum: [operation] },
          data_sensitivity: { type: "string", enum: [...SENSITIVITIES] },
          reason: { type: "string", maxLength: 1000, description: "reason, in a few words" },
        },
        required: ["operation_type"],
      },
    },
    required: ["name"],
  };
}
