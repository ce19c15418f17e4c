import type { Clock } from "../../../core/base/clock.ts";
import { createVmPool, type PoolJob, type VmPool } from "./pool.ts";
import { MAX_MEMORY_MB, type VmError, WRAP_CLOSE, WRAP_OPEN } from "./protocol.ts";
import { type Origin, originalPosition, originalStack, syntaxPosition, withLine } from "./stack.ts";
import { createTypeScript } from "./typescript.ts";
import type { VmOutcome } from "./vm.ts";

export type Language = "javascript" | "typescript";

interface Program extends Omit<PoolJob, "code"> {
  source: string;
  language: Language;
}

/** The outcome of a program; `json` is the text of its value (spec 001 §2.3, §7). */
export type Ended = { ok: true; json: string } | { ok: false; code: EndCode; message: string; stack?: string };
type EndCode =
  | "SYNTAX_ERROR"
  | "RUNTIME_ERROR"
  | "TIMEOUT"
  | "MEMORY_LIMIT"
  | "SERIALIZATION_ERROR"
  | "CANCELLED"
  | "EXECUTION_FAILED";

/** Runs JavaScript and TypeScript programs. Errors refer to positions in the author's source. */
export interface Sandbox {
  run(program: Program): Promise<Ended>;
  facts: VmPool["facts"];
  close(): Promise<void>;
}

const RETURN_REFUSED = "Return statement is not allowed here";

export function createSandbox({ size, clock }: { size: () => number; clock: Clock }): Sandbox {
  const pool = createVmPool({ size, clock });
  const typescript = createTypeScript(clock);

  /**
   * Compiles a source to JavaScript.
   *
   * @returns the code to run, or the outcome if it does not compile
   */
  async function prepare({ source, language, filename }: Program): Promise<{ code: string; origin: Origin } | Ended> {
    const nul = source.indexOf("\0");
    if (nul >= 0) {
      const before = source.slice(0, nul).split("\n");
      const at = { line: before.length, column: before.at(-1)!.length + 1 };
      return { ok: false, code: "SYNTAX_ERROR", message: withLine("the source contains a NUL character", at, source) };
    }
    if (language === "javascript") return { code: source, origin: { source, filename, shift: 0 } };
    let shift = 0;
    let stripped = await typescript.strip(source, filename);
    if (stripped.kind === "syntax" && stripped.message === RETURN_REFUSED) {
      shift = WRAP_OPEN.length;
      stripped = await typescript.strip(`${WRAP_OPEN}${source}${WRAP_CLOSE}`, filename);
    }
    if (stripped.kind === "fault") return { ok: false, code: "EXECUTION_FAILED", message: stripped.message };
    if (stripped.kind === "syntax") {
      const at = originalPosition(stripped, { source, filename, shift });
      return { ok: false, code: "SYNTAX_ERROR", message: withLine(stripped.message, at, source) };
    }
    return { code: stripped.code, origin: { source, filename, map: stripped.map, shift } };
  }

  return {
    async run(program) {
      const ready = await prepare(program);
      if ("ok" in ready) return ready;
      const outcome = await pool.run({ ...program, code: ready.code });
      return ended(outcome, ready.origin, { timeoutMs: program.timeoutMs, poolSize: size() });
    },
    facts: pool.facts,
    async close() {
      await Promise.all([pool.close(), typescript.close()]);
    },
  };
}

function ended(
  outcome: VmOutcome,
  origin: Origin,
  { timeoutMs, poolSize }: { timeoutMs: number; poolSize: number },
): Ended {
  switch (outcome.kind) {
    case "value":
      return { ok: true, json: outcome.json };
    case "timeout":
      return {
        ok: false,
        code: "TIMEOUT",
        message: `the execution exceeded its limit of ${timeoutMs} ms; raise options.timeout_ms or reduce the work`,
      };
    case "busy":
      return { ok: false, code: "EXECUTION_FAILED", message: busy(outcome.waitedMs, poolSize) };
    case "cancelled":
      return { ok: false, code: "CANCELLED", message: "the execution was cancelled" };
    case "error":
      return failed(outcome.error, { ...origin, shift: outcome.error.shift ?? origin.shift });
  }
}

/** The message for a caller for whom no sandbox became free. */
function busy(waitedMs: number, poolSize: number): string {
  return `no sandbox became free for this caller within ${waitedMs} ms, so the script was not started; wait for other scripts to end or try again later, or have an administrator raise code_execution_pool_size (${poolSize}) or code_execution_queue_timeout_ms`;
}

const MEMORY_LIMIT = `the script used more than its memory limit of ${MAX_MEMORY_MB} MB; request less from tools at once, and keep less of their results`;

function failed(error: VmError, origin: Origin): Ended {
  if (error.code === "EXECUTION_FAILED") return { ok: false, code: "EXECUTION_FAILED", message: error.message };
  if (error.code === "SERIALIZATION_ERROR") return { ok: false, code: "SERIALIZATION_ERROR", message: error.message };
  if (error.code === "MEMORY_LIMIT") return { ok: false, code: "MEMORY_LIMIT", message: MEMORY_LIMIT };
  const place = error.name === "SyntaxError" ? syntaxPosition(error.stack, origin.filename) : undefined;
  if (place) {
    const at = originalPosition(place, origin);
    return {
      ok: false,
      code: "SYNTAX_ERROR",
      message: withLine(error.message + hint(origin, at.line), at, origin.source),
    };
  }
  const stack = originalStack(error.stack, origin);
  const message = error.name === "Error" || error.name === "" ? error.message : `${error.name}: ${error.message}`;
  return { ok: false, code: "RUNTIME_ERROR", message, stack: stack ? `${message}\n${stack}` : message };
}

/** Advice for the two most frequent mistakes of models. */
function hint(origin: Origin, line: number): string {
  const text = origin.source.split("\n")[line - 1] ?? "";
  if (/\bawait\b/.test(text)) return "; call_tool and call_tools are synchronous; omit await";
  if (/^\s*(import|export)\b/.test(text)) return "; modules are not available in the sandbox";
  return "";
}
