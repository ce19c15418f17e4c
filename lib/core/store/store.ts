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
import type { WriteQueue } from "./write-queue.ts";

/**
 * All stored data of the proxy except its configuration. Every write is asynchronous and resolves when its transaction
 * is durable. Writes keep their order. A read sees every write that was requested before it.
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
  /** The queue of all writes, for measurements. */
  readonly writes: Pick<WriteQueue, "waiting" | "onCommit">;
  /**
   * The last disk failure, while writes are rejected because of it; otherwise the first damage that was found, if any.
   */
  problem(): string | undefined;
  /** Describes the first damage of the database that was found since the start. */
  damage(): string | undefined;
  /** Commits the queued writes and closes the store; further calls fail. */
  close(): Promise<void>;
}

export interface ApprovalStore {
  all(): ApprovalRow[];
  of(server: string): ApprovalRow[];
  get(server: string, tool: string): ApprovalRow | undefined;
  /** Inserts or replaces rows in one transaction. */
  put(rows: readonly ApprovalRow[]): Promise<void>;
  /** Number of rows of a server, for items of every kind. */
  count(server: string): number;
  /** Deletes the rows of a server, for items of every kind. */
  removeServer(server: string): Promise<void>;
}

/** Approvals of prompts, resources and resource templates; those of tools are in `ApprovalStore`. */
export interface ItemApprovalStore {
  all(): ItemApprovalRow[];
  /** Returns the approvals of a server. @param kind absent: all kinds */
  of(server: string, kind?: ListedKind): ItemApprovalRow[];
  get(server: string, kind: ListedKind, name: string): ItemApprovalRow | undefined;
  /** Inserts or replaces rows in one transaction. */
  put(rows: readonly ItemApprovalRow[]): Promise<void>;
  remove(server: string, kind: ListedKind, names: readonly string[]): Promise<void>;
}

/** Servers by name, also kept in memory. Rows are replaced, never changed in place. */
export interface KnownServerStore {
  all(): KnownServer[];
  get(name: string): KnownServer | undefined;
  /** Inserts or replaces rows in one transaction. */
  put(rows: readonly KnownServer[]): Promise<void>;
  remove(name: string): Promise<void>;
  /** Resolves when every earlier write is durable. */
  durable(): Promise<void>;
}

export interface ActivityStore {
  /** Queues one record. The promise resolves when it is durable; tool calls do not wait for that. */
  add(record: ActivityRecord): Promise<void>;
  /**
   * Reads one page, newest first, in slices between which other work can run. With `after`, the page starts with the
   * next older record than that one.
   */
  select(
    filter: ActivityFilter,
    wanted: { limit: number; offset?: number; after?: ActivityPlace },
    signal?: AbortSignal,
  ): Promise<ActivityPage>;
  /** Reads a page of the newest records synchronously. `total` is at most 100,000. */
  page(filter: ActivityFilter, limit: number, offset: number): { records: ActivityRecord[]; total: number };
  /**
   * Reads every match, newest first, in slices between which other work can run. `onSkipped` is called with the number
   * of unreadable records.
   */
  walk(filter: ActivityFilter, onSkipped?: (count: number) => void): AsyncIterable<ActivityRecord>;
  /** Counts every match in groups, in slices. The same group may be returned several times. */
  tally(filter: ActivityFilter, by: TallyBy, signal?: AbortSignal): AsyncIterable<ActivityTally>;
  /** Counts the records that name a server, by status and time slot. */
  tallySlots(filter: ActivityFilter, slotMs: number, signal?: AbortSignal): AsyncIterable<ActivitySlot>;
  /** Brings the sums up to the newest record, which otherwise happens in the background. */
  addUp(signal?: AbortSignal): Promise<void>;
  get(id: string): ActivityRecord | undefined;
  /**
   * Removes records older than `before` and those that exceed the limits (0: no limit). Returns the number of removed
   * records.
   */
  sweep(before: number, maxRecords: number, more?: { maxBytes?: number; signal?: AbortSignal }): Promise<number>;
}

/** The columns by which sessions can be sorted. */
export type SessionSort = "last_active_at" | "started_at" | "tool_calls";

export interface SessionStore {
  /** Inserts or replaces a session by its id. */
  put(session: SessionRecord): Promise<void>;
  /** Reads one page, sorted by last activity unless another order is requested. */
  page(
    filter: { status?: "active" | "closed" },
    limit: number,
    offset: number,
    order?: { by?: SessionSort; falling?: boolean; after?: { value: number; id: string } },
  ): { sessions: SessionRecord[]; total: number };
  get(id: string): SessionRecord | undefined;
  /** Closes the sessions that a crash left active; called at the start. */
  closeAll(at: number): Promise<void>;
}

export interface UsageStore {
  /** Counts one call of a tool on the day of `at`. */
  count(id: string, at: number): Promise<void>;
  /** The number of calls per tool id within the 30 days before `now`, and the time of the last call. */
  last30Days(now: number): Map<string, { count: number; lastUsed: number }>;
}

/** Agent tokens, also kept in memory because every request reads them. */
export interface TokenStore {
  /** All tokens, sorted by name. */
  all(): TokenRow[];
  get(name: string): TokenRow | undefined;
  /** Returns the token whose secret has this hash. The row is the same object until the token is written again. */
  byHash(hash: string): TokenRow | undefined;
  /** Inserts or replaces a token by its name. */
  put(token: TokenRow): Promise<void>;
  remove(name: string): Promise<void>;
  /** Records a use in memory; it is written to the disk at intervals. */
  used(token: TokenRow, at: number): void;
  lastUsed(name: string): number | undefined;
  /**
   * Calls `listener` with the name of each replaced or removed token, before the change is durable. @returns a function
   * that unsubscribes
   */
  onChange(listener: (name: string) => void): () => void;
}

/** Browser sessions (`SignInRow`), also kept in memory because every request from such a browser reads one. */
export interface SignInStore {
  /** Finds a session by the hash of the cookie's secret. */
  get(hash: string): SignInRow | undefined;
  all(): SignInRow[];
  /** Inserts or replaces a session by its hash. */
  put(row: SignInRow): Promise<void>;
  /** Ends the sessions with these hashes. */
  remove(hashes: readonly string[]): Promise<void>;
  /** Calls `listener` when sessions were ended, before the change is durable. @returns a function that unsubscribes */
  onEnd(listener: () => void): () => void;
}

/**
 * Users of the multi-user edition, also kept in memory because each of their requests reads one. Rows are replaced,
 * never changed.
 */
export interface UserStore {
  /** All users, sorted by address. */
  all(): UserRow[];
  get(id: string): UserRow | undefined;
  bySubject(issuer: string, subject: string): UserRow | undefined;
  /** Inserts or replaces a user by the id. */
  put(user: UserRow): Promise<void>;
  /**
   * Calls `listener` with the id of each written user, before the change is durable. @returns a function that
   * unsubscribes
   */
  onChange(listener: (id: string) => void): () => void;
}

/** Browser sessions of users, also kept in memory. */
export interface UserSessionStore {
  all(): UserSessionRow[];
  get(id: string): UserSessionRow | undefined;
  /** Finds a session by the hash of the cookie's secret. */
  byHash(hash: string): UserSessionRow | undefined;
  put(session: UserSessionRow): Promise<void>;
  /** Ends the sessions with these ids. */
  remove(ids: readonly string[]): Promise<void>;
  /**
   * Calls `listener` with the id of each ended session, before the change is durable. @returns a function that
   * unsubscribes
   */
  onEnd(listener: (id: string) => void): () => void;
}

/** Scans of servers, newest first. */
export interface ScanStore {
  get(id: string): ScanRow | undefined;
  of(server: string): ScanRow[];
  all(): ScanRow[];
  /** The last scan of a server that has a report. Kept in memory, because every list of servers reads it. */
  last(server: string): ScanRow | undefined;
  /** Inserts or replaces a scan. Only the newest `keep` scans of the server are kept. */
  put(row: ScanRow, keep: number): Promise<void>;
  removeServer(server: string): Promise<void>;
}

/** Small JSON values by key. */
export interface MetaStore {
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}

/** Responses that are replayed when a client repeats a request with the same `Idempotency-Key`. */
export interface AnswerStore {
  get(id: string): IdempotentAnswer | undefined;
  /**
   * Inserts or replaces a response. Removes those older than `before`, and the oldest ones if there are more than
   * `max`.
   */
  put(answer: IdempotentAnswer, limits: { before: number; max: number }): Promise<void>;
}
