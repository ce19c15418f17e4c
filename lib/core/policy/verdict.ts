import type { AnnotationPolicy } from "../schema/annotation-policy.ts";
import type { Scope } from "../schema/caller.ts";
import type { ConnectionState, HealthAction } from "../schema/connection-status.ts";
import type { ItemKind, JudgedRow } from "../schema/item.ts";
import type { CallVariant, ToolRow } from "../schema/tool.ts";
import type { Reason } from "./reasons.ts";

/** All facts about one item at one moment that a decision may need. Built by `gateway/tool-snapshot.ts`. */
export interface ItemSnapshot<Row extends JudgedRow = JudgedRow> {
  /** `server:name`, for items of every kind. */
  readonly id: string;
  /** Absent for a tool. */
  readonly kind?: ItemKind;
  /** Absent if no such server is configured. */
  readonly server?: {
    readonly name: string;
    readonly enabled: boolean;
    readonly quarantined: boolean;
    readonly state: ConnectionState;
    readonly authRequired: boolean;
    /** Set if the connection has not listed its tools yet, or if the last listing failed. */
    readonly listing?: "unlisted" | "failed";
    /** URL at which the caller signs in to the server, if each user signs in separately. */
    readonly signInAt?: string;
    /**
     * True if quarantine and approvals are disabled for the server (`quarantine_enabled: false`, `trust_mode: auto`).
     */
    readonly trusted: boolean;
    /** The best remedy while the server is not in state `Ready`. */
    readonly action: string;
  };
  /** Absent if the server has no such item, or if it was never discovered. */
  readonly tool?: Row;
  /** True if the operator's `enabled_tools` or `disabled_tools` exclude the item. */
  readonly denied: boolean;
  /** How the item differs from the lock file, if the lock file is enforced. */
  readonly violation?: string;
}

export type ToolSnapshot = ItemSnapshot<ToolRow>;

export interface PolicyQuestion {
  readonly scope: Scope;
  readonly policy?: AnnotationPolicy;
  /** The call variant that is used; absent in direct mode, code execution, REST, search and checks. */
  readonly variant?: CallVariant;
  /** True if the client shows apps (MCP Apps) and hides tools that only apps may call from its model. */
  readonly isAppHost?: boolean;
  /** The pin that the caller expects. */
  readonly pin?: string;
  /** Whether the connection state is part of the decision: true for calls and preflight, false for search. */
  readonly connection: boolean;
  /** Whether the response may contain the current hash of the tool (operators only, spec 000 §2.6). */
  readonly hashes?: boolean;
}

export type Verdict = { readonly ready: true } | Refusal;

export interface Refusal {
  readonly ready: false;
  readonly reason: Reason;
  readonly retryable: boolean;
  /** The remedy; results omit it if it is empty. */
  readonly action: HealthAction;
  readonly detail: string;
  readonly remediation: string;
}
