import { callBare, Refused, reasonOf } from "../../api.ts";
import type { Trouble } from "./code-editor.tsx";
import type { Language } from "./editor.ts";

/** The code of a run; exactly one of `code` and `script` is set. */
export interface Job {
  code?: string;
  script?: string;
  language?: Language;
  input: unknown;
  options: { timeout_ms?: number; max_tool_calls?: number };
}

interface Problem {
  code: string;
  message: string;
  stack?: string | undefined;
}

/** One run. */
export interface Run {
  /** The request ID of its record and calls. */
  requestId: string;
  job: Job;
  startedAt: number;
  ms?: number;
  cancelled?: boolean;
  value?: unknown;
  error?: Problem;
}

/** Timeout of the request; the proxy itself limits executions to ten minutes (ms). */
const MAX_TIMEOUT_MS = 630_000;

/** Runs a script. @returns the run with its outcome; never throws */
export async function execute(run: Run, signal: AbortSignal): Promise<Run> {
  const from = performance.now();
  const done = (end: Partial<Run>): Run => ({ ...run, ...end, ms: performance.now() - from });
  try {
    const options = { signal, requestId: run.requestId, timeoutMs: MAX_TIMEOUT_MS };
    const answer = await callBare("POST /api/v1/code/exec", { body: { ...run.job } }, options);
    return answer.ok || !answer.error ? done({ value: answer.value }) : done({ error: answer.error });
  } catch (error) {
    if (signal.aborted) return done({ cancelled: true });
    return done({ error: { code: error instanceof Refused ? error.code : "AWAY", message: reasonOf(error) } });
  }
}

/** The position of an error in the code, if it is known. */
export function troubleOf({ job, error }: Run): Trouble | undefined {
  if (!error || job.code === undefined) return undefined;
  const found = /script\.[jt]s:(\d+)(?::(\d+))?/.exec(`${error.stack ?? ""}\n${error.message}`);
  const plain = /\bline (\d+)(?:,? column (\d+))?/.exec(error.message);
  const [, line, column] = found ?? plain ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column ?? 1), message: error.message };
}

/** Creates a random request ID in the form that the proxy accepts. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `panel-${[...bytes].map((b) => b.toString(16).padStart(2, "0")).join("")}`;
}
