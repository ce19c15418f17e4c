import type {
  ActivityFilter,
  ActivityPage,
  ActivityPlace,
  ActivityRecord,
  ActivitySlot,
  ActivityTally,
  TallyBy,
} from "../schema/activity.ts";
import type { IdempotentAnswer } from "../schema/idempotent-answer.ts";
import type { ItemApprovalRow, ListedKind } from "../schema/item.ts";
import type { KnownServer } from "../schema/known-server.ts";
import type { ScanRow } from "../schema/scan.ts";
import type { SessionRecord } from "../schema/session.ts";
import type { SignInRow } from "../schema/sign-in.ts";
import type { TokenRow } from "../schema/token.ts";
import type { ApprovalRow } from "../schema/tool.ts";
import type { UserRow, UserSessionRow } from "../schema/user.ts";
import type { DatabaseIdentity } from "./database-identity.ts";

/**
 * The observed facts, on disk. Every write is async and resolves when its group commit is durable; writes keep their
 * order. A read sees every write that was requested before it.
 */
export interface Store {
  readonly approvals: ApprovalStore;
  readonly itemApprovals: ItemApprovalStore;
  readonly knownServers: KnownServerStore;
  readonly activity: ActivityStore;
  readonly sessions: SessionStore;
  readonly usage: UsageStore;
  readonly tokens: TokenStore;
  readonly signIns: SignInStore;
  readonly users: UserStore;
  readonly userSessions: UserSessionStore;
  readonly scans: ScanStore;
  readonly meta: MetaStore;
  readonly answers: AnswerStore;
  /** Whether this is the database that the data directory had before. */
  readonly evidence: DatabaseIdentity;
  /** The last disk failure, while writes are refused because of it; else the damage, once some was met. */
  problem(): string | undefined;
  /** The first damage of the database that was met since the start. */
  damage(): string | undefined;
  /** Commits the queued writes and closes the store; further calls fail. */
  close(): Promise<void>;
}

export interface ApprovalStore {
  all(): ApprovalRow[];
  of(server: string): ApprovalRow[];
  get(server: string, tool: string): ApprovalRow | undefined;
  /** Inserts or replaces, all in one transaction. */
  put(rows: readonly ApprovalRow[]): Promise<void>;
  /** How many rows a server has, of every kind of item. */
  count(server: string): number;
  /** Forgets the server's rows of every kind of item. */
  removeServer(server: string): Promise<void>;
}

/** Approvals of prompts, resources and resource templates; those of tools are in `ApprovalStore`. */
export interface ItemApprovalStore {
  all(): ItemApprovalRow[];
  /** @param kind absent: of every kind */
  of(server: string, kind?: ListedKind): ItemApprovalRow[];
  get(server: string, kind: ListedKind, name: string): ItemApprovalRow | undefined;
  /** Inserts or replaces, all in one transaction. */
  put(rows: readonly ItemApprovalRow[]): Promise<void>;
  remove(server: string, kind: ListedKind, names: readonly string[]): Promise<void>;
}

/** Servers by name, kept in memory as well. Rows are replaced, never changed in place. */
export interface KnownServerStore {
  all(): KnownServer[];
  get(name: string): KnownServer | undefined;
  /** Inserts or replaces, all in one transaction. */
  put(rows: readonly KnownServer[]): Promise<void>;
  remove(name: string): Promise<void>;
  /** Resolves when every earlier write is durable. */
  durable(): Promise<void>;
}

export interface ActivityStore {
  /** Queues one record. Awaiting the answer means: durable. A tool call does not await it. */
  add(record: ActivityRecord): Promise<void>;
  /** One page, newest first, in slices so that the loop stays free; `after` leads to what is older than a record. */
  select(
    filter: ActivityFilter,
    wanted: { limit: number; offset?: number; after?: ActivityPlace },
    signal?: AbortSignal,
  ): Promise<ActivityPage>;
  /** The same at once, for the newest few. `total` is bounded at 100,000. */
  page(filter: ActivityFilter, limit: number, offset: number): { records: ActivityRecord[]; total: number };
  /** Every match, newest first, in slices so that the loop stays free. `onSkipped` is told of records that cannot be read. */
  walk(filter: ActivityFilter, onSkipped?: (count: number) => void): AsyncIterable<ActivityRecord>;
  /** Counts every match in groups, in slices; the same group may come several times. */
  tally(filter: ActivityFilter, by: TallyBy, signal?: AbortSignal): AsyncIterable<ActivityTally>;
  /** The same by status and piece of time, of records that name a server. */
  tallySlots(filter: ActivityFilter, slotMs: number, signal?: AbortSignal): AsyncIterable<ActivitySlot>;
  /** Updates the sums with all records so far, as the background work also does. */
  addUp(signal?: AbortSignal): Promise<void>;
  get(id: string): ActivityRecord | undefined;
  /** Removes what is older than `before` and what exceeds the limits (0: no limit); answers how many went. */
  sweep(before: number, maxRecords: number, more?: { maxBytes?: number; signal?: AbortSignal }): Promise<number>;
}

/** What sessions are sorted by. */
export type SessionSort = "last_active_at" | "started_at" | "tool_calls";

export interface SessionStore {
  /** Inserts or replaces by id. */
  put(session: SessionRecord): Promise<void>;
  /** The latest active first unless another order is asked for. */
  page(
    filter: { status?: "active" | "closed" },
    limit: number,
    offset: number,
    order?: { by?: SessionSort; falling?: boolean; after?: { value: number; id: string } },
  ): { sessions: SessionRecord[]; total: number };
  get(id: string): SessionRecord | undefined;
  /** At start: closes the sessions that a crash left active. */
  closeAll(at: number): Promise<void>;
}

export interface UsageStore {
  /** Counts one call of a tool on the day of `at`. */
  count(id: string, at: number): Promise<void>;
  /** Calls per tool id within the 30 days before `now`, and the last one. */
  last30Days(now: number): Map<string, { count: number; lastUsed: number }>;
}

/** Agent tokens, also held in memory because every request reads them. */
export interface TokenStore {
  /** In the order of their names. */
  all(): TokenRow[];
  get(name: string): TokenRow | undefined;
  /** The token whose secret has this hash. The row is the same object until the token is written again. */
  byHash(hash: string): TokenRow | undefined;
  /** Inserts or replaces by name. */
  put(token: TokenRow): Promise<void>;
  remove(name: string): Promise<void>;
  /** Records a use in memory; it is written to the disk at intervals. */
  used(token: TokenRow, at: number): void;
  lastUsed(name: string): number | undefined;
  /** Called with the name of each replaced or removed token, before the change is durable. @returns unsubscribes */
  onChange(listener: (name: string) => void): () => void;
}

/** Browser sign-ins, also held in memory because every request from them reads one. */
export interface SignInStore {
  /** By the hash of the cookie's secret. */
  get(hash: string): SignInRow | undefined;
  all(): SignInRow[];
  /** Inserts or replaces by hash. */
  put(row: SignInRow): Promise<void>;
  /** Ends these. */
  remove(hashes: readonly string[]): Promise<void>;
  /** Called when sign-ins were ended, before the change is durable. @returns unsubscribes */
  onEnd(listener: () => void): () => void;
}

/** People of the multi-user edition, kept in memory as well: every request of theirs asks. Rows are replaced, never changed. */
export interface UserStore {
  /** In the order of their addresses. */
  all(): UserRow[];
  get(id: string): UserRow | undefined;
  bySubject(issuer: string, subject: string): UserRow | undefined;
  /** Inserts or replaces by id. */
  put(user: UserRow): Promise<void>;
  /** Called with the id of each written user, before the change is durable. @returns unsubscribes */
  onChange(listener: (id: string) => void): () => void;
}

/** Browsers in which users are signed in, kept in memory as well. */
export interface UserSessionStore {
  all(): UserSessionRow[];
  get(id: string): UserSessionRow | undefined;
  /** By the hash of the cookie's secret. */
  byHash(hash: string): UserSessionRow | undefined;
  put(session: UserSessionRow): Promise<void>;
  /** Ends these. */
  remove(ids: readonly string[]): Promise<void>;
  /** Called with the id of each ended session, before the change is durable. @returns unsubscribes */
  onEnd(listener: (id: string) => void): () => void;
}

/** Scans of servers, newest first. */
export interface ScanStore {
  get(id: string): ScanRow | undefined;
  of(server: string): ScanRow[];
  all(): ScanRow[];
  /** The last one that has a report. Kept in memory, since every list of servers asks for it. */
  last(server: string): ScanRow | undefined;
  /** Inserts or replaces; of the server's scans the newest `keep` stay. */
  put(row: ScanRow, keep: number): Promise<void>;
  removeServer(server: string): Promise<void>;
}

/** Small named facts: JSON values by key. */
export interface MetaStore {
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}

/** Responses that are replayed when a client repeats a request with the same `Idempotency-Key`. */
export interface AnswerStore {
  get(id: string): IdempotentAnswer | undefined;
  /** Inserts or replaces; removes what is older than `before`, and the oldest beyond `max`. */
  put(answer: IdempotentAnswer, limits: { before: number; max: number }): Promise<void>;
}
