import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { App } from "../app.ts";
import type { ObservedRequest } from "../extension/traffic.ts";
import type { Actor, Caller } from "../schema/caller.ts";
import type { LogReceiver } from "../schema/log-message.ts";
import type { CallToolResult, InputContext, McpObject, Progress, Reply, ToolAnnotations } from "../schema/mcp.ts";
import type { UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";
import type { McpMode } from "./mount.ts";

/** One call of a built-in tool. */
interface ToolCall<I> extends Actor {
  app: App;
  input: I;
  /** The mode of the endpoint that received the call. */
  mode: McpMode;
  /** Aborts when the client cancels or disconnects, or when the proxy ends the call. */
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Set if the client accepts log messages of the call. */
  logs?: LogReceiver;
  /**
   * The `_meta` of the request, without its progress token and the members that concern only the client and the proxy.
   */
  meta?: McpObject;
  /** The questions that the client can be asked during the call, and its answers. */
  asking?: InputContext;
  /** Set if the caller can be asked while the tool runs. */
  ask?: (question: UpstreamQuestion) => void;
  /** Set if the client wants to be notified when a person has finished at a URL that the person was asked to open. */
  completed?: (elicitationId: string) => void;
  /** What is measured of the request; undefined unless something observes the traffic. */
  observed?: ObservedRequest | undefined;
}

interface ToolSpec<S extends v.GenericSchema> {
  title: string;
  description: string;
  /** The modes in whose lists the tool is. */
  modes: readonly McpMode[];
  annotations: ToolAnnotations;
  /** A few words by which clients find the tool if they load definitions only when a model searches for them. */
  searchHint: string;
  /** Set if every client should load the definition at the start, because nothing works without the tool. */
  alwaysLoad?: true;
  input: S;
  /**
   * Additional parameter names that it accepts, because clients use them for parameters of `input` and `inputSchema`.
   */
  alsoTakes?: readonly string[];
  /** The schema that clients are shown, if `input` accepts more than a model should send. */
  inputSchema?: McpObject;
  /** If it returns false for a caller, the tool is not listed and unknown when called. Absent: always offered. */
  offered?(call: { app: App; caller: Caller; mode: McpMode }): boolean;
  /** If it returns false, the tool is not listed, but a call is answered with the reason. */
  listed?(app: App): boolean;
  /**
   * Runs the tool. A plain value becomes one JSON text block; `{ passthrough }` is an upstream's result that is passed
   * on unchanged. A thrown Fault becomes a result with `isError: true`.
   */
  run(call: ToolCall<v.InferOutput<S>>): unknown;
}

export interface Tool {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tools of every input type stand in one list
  readonly spec: ToolSpec<any>;
  readonly inputSchema: McpObject;
}

/** A complete tool result that is passed on byte for byte. */
export interface Passthrough {
  passthrough: Reply<CallToolResult>;
  /** Id of the upstream's tool that returned it, `server:tool`. */
  id?: string;
}

/** Declares a built-in MCP tool. Its schema checks the input and is the `inputSchema` that clients see. */
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
