import { RestError } from "#lib/client/error.ts";
import { Fault } from "#lib/core/base/fault.ts";

/** The exit codes (spec 001 §7 and §4.2). */
export const EXIT = { ok: 0, failed: 1, usage: 2, locked: 3, audit: 4, hungUp: 129, interrupted: 130 } as const;

/** The exit codes of `lock verify`: 0 without a difference, otherwise by the most severe class. */
export const LOCK_EXIT = {
  unverified: 20,
  cosmetic: 21,
  text: 22,
  narrowing: 23,
  widening: 24,
  capability: 25,
} as const;

/** An error in the command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Suggestions: known words or flags similar to the unknown one. */
  readonly suggestions: readonly string[];

  constructor(message: string, suggestions: readonly string[] = []) {
    super(suggestions.length > 0 ? `${message}; did you mean ${suggestions.join(" or ")}?` : message);
    this.suggestions = suggestions;
  }
}

const FAULT_EXITS: Record<string, number> = {
  audit_stdout_refused: EXIT.audit,
  client_id_required: EXIT.failed,
  code_disabled: EXIT.usage,
  code_flow_failed: EXIT.failed,
  config_invalid: EXIT.usage,
  database_locked: EXIT.locked,
  dcr_failed: EXIT.failed,
  invalid_args: EXIT.usage,
  invalid_request: EXIT.usage,
  metadata_discovery_failed: EXIT.failed,
  oauth_not_supported: EXIT.failed,
};

/** The exit code of anything thrown by a command. */
export function exitCode(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof Fault) return FAULT_EXITS[error.code] ?? EXIT.failed;
  if (error instanceof RestError) return FAULT_EXITS[error.code] ?? (error.status === 400 ? EXIT.usage : EXIT.failed);
  if (error instanceof Error && error.name === "AbortError") return EXIT.interrupted;
  return EXIT.failed;
}
