import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { App } from "../app.ts";
import type { Actor, Caller } from "../schema/caller.ts";
import type { LogReceiver } from "../schema/log-message.ts";
import type { CallToolResult, InputContext, McpObject, Progress, Reply, ToolAnnotations } from "../schema/mcp.ts";
import type { UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";
import type { McpMode } from "./mount.ts";

/** One call of a built-in tool. */
interface ToolCall<I> extends Actor {
  app: App;
  input: I;
  /** The mode it was called in. */
  mode: McpMode;
  /** Aborts when the client cancels, goes away, or the proxy stops. */
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Given when the client takes log messages of the call. */
  logs?: LogReceiver;
  /** The request's own `_meta`, without its progress token and what is between the client and the proxy. */
  meta?: McpObject;
  /** What the client can be asked in the middle of the call, and has answered. */
  asking?: InputContext;
  /** Given when the caller can be asked while the tool runs. */
  ask?: (question: UpstreamQuestion) => void;
  /** Given when the client wants to learn that a person is done at an address it was asked to open. */
  completed?: (elicitationId: string) => void;
}

interface ToolSpec<S extends v.GenericSchema> {
  title: string;
  description: string;
  /** The modes whose tool list it is in. */
  modes: readonly McpMode[];
  annotations: ToolAnnotations;
  /** By what a client finds the tool that loads definitions only when a model searches for them (a few words). */
  searchHint: string;
  /** Every client should load the definition at the start, because nothing works without the tool. */
  alwaysLoad?: true;
  input: S;
  /** Further parameters that it accepts: names that clients use for those of `input` and `inputSchema`. */
  alsoTakes?: readonly string[];
  /** The schema that clients are shown, where `input` accepts more than a model should send. */
  inputSchema?: McpObject;
  /** Left out of the list, and unknown when called, unless this says yes for the caller. */
  offered?(call: { app: App; caller: Caller; mode: McpMode }): boolean;
  /** Left out of the list while this says no; a call is answered all the same, with the reason. */
  listed?(app: App): boolean;
  /**
   * A plain value becomes one JSON text block; `{ passthrough }` is an upstream's answer passed on as it came. A thrown
   * Fault becomes a result with `isError: true`.
   */
  run(call: ToolCall<v.InferOutput<S>>): unknown;
}

export interface Tool {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tools of every input type stand in one list
  readonly spec: ToolSpec<any>;
  readonly inputSchema: McpObject;
}

/** A whole tool result, to be passed on byte for byte. */
export interface Passthrough {
  passthrough: Reply<CallToolResult>;
  /** The upstream's tool it comes from, `server:tool`. */
  id?: string;
}

/** Declares one built-in MCP tool; the schema is both the check and the `inputSchema` that clients see. */
export function tool<S extends v.GenericSchema>(name: string, spec: ToolSpec<S>): Tool {
  let schema = spec.inputSchema;
  return {
    name,
    spec,
    get inputSchema() {
      if (!schema) {
        const { $schema: _, ...rest } = toJsonSchema(spec.input, { errorMode: "ignore", typeMode: "input" });
        schema = rest as McpObject;
      }
      return schema;
    },
  };
}
