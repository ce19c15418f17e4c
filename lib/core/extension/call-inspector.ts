import { part } from "../app.ts";
import type { Fault } from "../base/fault.ts";
import type { CallToolResult, InputContext, McpObject, Progress, Reply } from "../schema/mcp.ts";
import type { SensitiveFinding } from "../schema/sensitive-finding.ts";

/** The parts of a call that an inspector reads. */
export interface InspectedCall {
  readonly server: string;
  readonly tool: string;
  readonly request: { id: string; args: McpObject; meta?: McpObject; asking?: InputContext };
}

/** Sensitive data found in a call before its record is written. */
export interface CallFindings {
  arguments?: readonly SensitiveFinding[];
  response?: readonly SensitiveFinding[];
}

export interface InspectedArguments {
  findings: readonly SensitiveFinding[];
  /** Set if the call must be rejected. */
  fault?: Fault;
}

/** The response to the caller. */
export interface InspectedReply {
  reply: Reply<CallToolResult>;
  findings?: CallFindings;
  /** If set, the proxy throws it instead of returning the response. */
  fault?: Fault;
}

/** The arguments and the response of a finished call as JSON text. */
export interface CallTexts {
  sent: string;
  raw: string | undefined;
  findings: CallFindings | undefined;
}

/**
 * Searches the arguments and responses of calls for sensitive data. It may reject arguments, and change or withhold
 * responses.
 */
interface CallInspector {
  /** Loads in advance what the first call would otherwise have to wait for. */
  prepare(): Promise<void>;
  /** Searches the arguments of a call. @returns undefined if the configuration never rejects arguments */
  arguments(call: InspectedCall): Promise<InspectedArguments> | undefined;
  progress(call: InspectedCall, progress: Progress): Progress;
  /** Inspects the error of a call. @returns the error to throw instead of `error` */
  error(call: InspectedCall, error: unknown): unknown;
  reply(call: InspectedCall, reply: Reply<CallToolResult>): InspectedReply | Promise<InspectedReply>;
  /** Returns how many characters of a text `finished` reads. */
  maxChars(): number;
  /** Returns the sensitive data in a finished call, for its record. */
  finished(texts: CallTexts): readonly SensitiveFinding[] | Promise<readonly SensitiveFinding[]>;
}

/** Absent until a module provides an inspector; the pipeline then has no stages for it. */
export const callInspector = part<CallInspector | undefined>("callInspector", () => undefined);
