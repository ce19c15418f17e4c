import type { Scope } from "../shape/caller.ts";
import type { ConnectionState } from "../shape/server.ts";
import type { ToolRow } from "../shape/tool.ts";
import type { Reason } from "./reasons.ts";

/** Everything about one tool id that any decision needs, at one moment. Built by `tools/snapshot.ts`. */
export interface Snapshot {
  readonly id: string;
  /** Absent: no such server is configured. */
  readonly server?: {
    readonly name: string;
    readonly enabled: boolean;
    readonly quarantined: boolean;
    readonly state: ConnectionState;
    readonly authRequired: boolean;
    /** Quarantine and approvals are switched off for it (`quarantine_enabled: false`, `trust_mode: auto`). */
    readonly trusted: boolean;
    /** Best remedy while it is not Ready. */
    readonly action: string;
  };
  /** Absent: the server has no such tool, or it was never discovered. */
  readonly tool?: ToolRow;
  /** The operator's `enabled_tools` or `disabled_tools` leave it out. */
  readonly denied: boolean;
}

/** Annotation filters, in the order they are evaluated (spec 000 §2.6). */
export interface Policy {
  readonly read_only_only?: boolean;
  readonly exclude_destructive?: boolean;
  readonly exclude_open_world?: boolean;
}

export interface Question {
  readonly scope: Scope;
  readonly policy?: Policy;
  /** A pin the caller expects. */
  readonly pin?: string;
  /** Whether the connection counts: search asks without it, calls and preflight with it. */
  readonly connection: boolean;
}

export type Verdict =
  | { readonly ready: true }
  | { readonly ready: false; readonly reason: Reason; readonly detail: string };

/**
 * Decides whether one tool may be seen or called. Pure; the only place where it is decided (spec 000 §4.3; search,
 * describe, direct mode, call tools, code execution, preflight, REST and CLI all ask here).
 */
export declare function judge(snapshot: Snapshot, question: Question): Verdict;
