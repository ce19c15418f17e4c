import type { AnnotationPolicy } from "../schema/annotation-policy.ts";
import type { Scope } from "../schema/caller.ts";
import type { ConnectionState, HealthAction } from "../schema/connection-status.ts";
import type { ItemKind, JudgedRow } from "../schema/item.ts";
import type { CallVariant, ToolRow } from "../schema/tool.ts";
import type { Reason } from "./reasons.ts";

/** Everything about the id of one item that any decision needs, at one moment. Built by `gateway/snapshot.ts`. */
export interface ItemSnapshot<Row extends JudgedRow = JudgedRow> {
  /** `server:name` for every kind. */
  readonly id: string;
  /** Absent for a tool. */
  readonly kind?: ItemKind;
  /** Absent when no such server is configured. */
  readonly server?: {
    readonly name: string;
    readonly enabled: boolean;
    readonly quarantined: boolean;
    readonly state: ConnectionState;
    readonly authRequired: boolean;
    /** Absent after a good listing: the connection has not listed its tools yet, or the last listing failed. */
    readonly listing?: "unlisted" | "failed";
    /** Where the caller signs in, if each user signs in rather than the operator. */
    readonly signInAt?: string;
    /** Quarantine and approvals are switched off for it (`quarantine_enabled: false`, `trust_mode: auto`). */
    readonly trusted: boolean;
    /** Best remedy while the server is not Ready. */
    readonly action: string;
  };
  /** Absent when the server has no such item, or when it was never discovered. */
  readonly tool?: Row;
  /** Whether the operator's `enabled_tools` or `disabled_tools` exclude it. */
  readonly denied: boolean;
  /** How it differs from the lock file, where that is enforced. */
  readonly violation?: string;
}

export type ToolSnapshot = ItemSnapshot<ToolRow>;

export interface PolicyQuestion {
  readonly scope: Scope;
  readonly policy?: AnnotationPolicy;
  /** Which call tool the call comes through; absent in direct mode, code execution, REST, search and checks. */
  readonly variant?: CallVariant;
  /** The client shows apps (MCP Apps), and keeps the tools that are only for them away from its model. */
  readonly isAppHost?: boolean;
  /** A pin the caller expects. */
  readonly pin?: string;
  /** Whether the connection state is part of the decision: not for search, but for calls and preflight. */
  readonly connection: boolean;
  /** Whether the answer may name the tool's present hash (operators only, spec 000 §2.6). */
  readonly hashes?: boolean;
}

export type Verdict = { readonly ready: true } | Refusal;

export interface Refusal {
  readonly ready: false;
  readonly reason: Reason;
  readonly retryable: boolean;
  /** Empty when there is none; then it is left out of results. */
  readonly action: HealthAction;
  readonly detail: string;
  readonly remediation: string;
}
