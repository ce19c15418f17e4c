import { part } from "../app.ts";
import type { Fault } from "../base/fault.ts";
import type { CallToolResult, InputContext, McpObject, Progress, Reply } from "../schema/mcp.ts";
import type { SensitiveFinding } from "../schema/sensitive-finding.ts";

/** A call, as far as what it carries needs to be known. */
export interface InspectedCall {
  readonly server: string;
  readonly tool: string;
  readonly request: { id: string; args: McpObject; meta?: McpObject; asking?: InputContext };
}

/** What was found in a call before its record is written. */
export interface CallFindings {
  arguments?: readonly SensitiveFinding[];
  response?: readonly SensitiveFinding[];
}

export interface InspectedArguments {
  findings: readonly SensitiveFinding[];
  /** Set where the call must not be made. */
  fault?: Fault;
}

/** An answer as the caller gets it. */
export interface InspectedReply {
  reply: Reply<CallToolResult>;
  findings?: CallFindings;
  /** Instead of the answer. */
  fault?: Fault;
}

/** Texts of a finished call as JSON. */
export interface CallTexts {
  sent: string;
  raw: string | undefined;
  findings: CallFindings | undefined;
}

/** Looks at what calls carry, in both directions; may refuse arguments and change or withhold answers. */
interface CallInspector {
  /** Makes what the first call would have to wait for. */
  prepare(): Promise<void>;
  /** @returns undefined where nothing would be refused */
  arguments(call: InspectedCall): Promise<InspectedArguments> | undefined;
  progress(call: InspectedCall, progress: Progress): Progress;
  /** @returns what is to be thrown instead of the error */
  error(call: InspectedCall, error: unknown): unknown;
  reply(call: InspectedCall, reply: Reply<CallToolResult>): InspectedReply | Promise<InspectedReply>;
  /** What a finished call held, for its record. */
  finished(texts: CallTexts): readonly SensitiveFinding[] | Promise<readonly SensitiveFinding[]>;
}

/** Absent until a module inspects calls; the pipeline then has no stages for it. */
export const callInspector = part<CallInspector | undefined>("callInspector", () => undefined);
