import type { Fault } from "../base/fault.ts";
import type {
  ActivityFilter,
  ActivityMark,
  ActivityPage,
  ActivityPlace,
  ActivityRecord,
  ActivitySlot,
  ActivityTally,
  FollowedActivity,
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
import type { SharedConfig } from "./shared-config.ts";
import type { WriteQueue } from "./write-queue.ts";

/**
 * Decides about one row from its newest state. It returns the new row, "remove" to delete the row, or undefined to
 * change nothing. An engine with several writers calls it again with the newer row if another writer was first; so it
 * has no effects except on variables that each call sets anew. If it throws, nothing is written and the change rejects
 * with its error.
 */
export type RowEdit<Row, Key = string> = (current: Row | undefined, key: Key) => Row | "remove" | undefined;

/** A row before and after a change; undefined where it did not exist. Without a change, both are the same row. */
export interface RowChange<Row> {
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/**
 * All stored data of the proxy except its configuration. Every write is asynchronous and resolves when its transaction
 * is durable. Writes keep their order. A read sees every write that was requested before it.
 *
 * What calls of tools need is kept in memory by every engine and read synchronously. What can be large is read
 * asynchronously. A row that is written depending on what it contains is written by a `change`: reading, deciding and
 * writing are one step, also if several processes share the database. With a change of several rows, all or none of
 * them are written.
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
  readonly documents: DocumentStore;
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
  /**
   * Why nothing may be decided with what is in memory, because another process may have changed it too long ago:
   * approvals and credentials may have been revoked. Undefined as long as it counts.
   */
  outdated(): Fault | undefined;
  /**
   * Resolves when everything that other processes had committed before the call is in memory, or after about a second
   * without success. Absent: no other process writes.
   */
  catchUp?(): Promise<void>;
  /** The clock of the database that several machines share. Absent if the store is used by this machine only. */
  readonly sharedClock?: SharedClock;
  /** The configuration, if several processes share it. Absent: each has its own file. */
  readonly sharedConfig?: SharedConfig;
  /** Commits the queued writes and closes the store; further calls fail. */
  close(): Promise<void>;
}

export interface SharedClock {
  /** The last measured difference: positive if this machine is behind; with its possible error. (ms) */
  measured(): { readonly offsetMs: number; readonly errorMs: number };
  /** What to add to this machine's time to get the shared time; 0 if the clocks agree. (ms) */
  offsetMs(): number;
}

export interface ApprovalStore {
  all(): ApprovalRow[];
  of(server: string): ApprovalRow[];
  get(server: string, tool: string): ApprovalRow | undefined;
  /**
   * Changes rows of one server; each tool is named once.
   *
   * @returns the changes of the rows that were written, in the order of the names
   */
  changeAll(server: string, tools: readonly string[], edit: RowEdit<ApprovalRow>): Promise<RowChange<ApprovalRow>[]>;
  /** Number of rows of a server, for items of every kind. */
  count(server: string): number;
  /** Deletes the rows of a server, for items of every kind. */
  removeServer(server: string): Promise<void>;
  /**
   * Calls `listener` with the name of a server, if another process that shares the database changed rows of it, for
   * items of any kind. @returns a function that unsubscribes
   */
  onForeignChange(listener: (server: string) => void): () => void;
}

/** Approvals of prompts, resources and resource templates; those of tools are in `ApprovalStore`. */
export interface ItemApprovalStore {
  all(): ItemApprovalRow[];
  /** Returns the approvals of a server. @param kind absent: all kinds */
  of(server: string, kind?: ListedKind): ItemApprovalRow[];
  get(server: string, kind: ListedKind, name: string): ItemApprovalRow | undefined;
  /**
   * Changes rows of one server; each item is named once.
   *
   * @returns the changes of the rows that were written, in the order of the items
   */
  changeAll(
    server: string,
    items: readonly ItemKey[],
    edit: RowEdit<ItemApprovalRow, ItemKey>,
  ): Promise<RowChange<ItemApprovalRow>[]>;
}

/** Names an item among those of its server. */
export type ItemKey = Pick<ItemApprovalRow, "kind" | "name">;

/** Servers by name, also kept in memory. Rows are replaced, never changed in place. */
export interface KnownServerStore {
  all(): KnownServer[];
  get(name: string): KnownServer | undefined;
  /**
   * Changes rows; each server is named once.
   *
   * @returns the changes of the rows that were written, in the order of the names
   */
  changeAll(names: readonly string[], edit: RowEdit<KnownServer>): Promise<RowChange<KnownServer>[]>;
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
  /**
   * Reads every match, newest first, in slices between which other work can run. `onSkipped` is called with the number
   * of unreadable records.
   */
  walk(filter: ActivityFilter, onSkipped?: (count: number) => void): AsyncIterable<ActivityRecord>;
  /** Returns the mark of the newest record. */
  newestMark(): Promise<ActivityMark>;
  /** Reads at most `limit` records that were added after a mark, oldest first, in slices. */
  follow(after: ActivityMark, limit: number, signal?: AbortSignal): Promise<FollowedActivity[]>;
  /** Returns about how many records were added after a mark. */
  countAfter(after: ActivityMark): Promise<number>;
  /** Counts every match in groups, in slices. The same group may be returned several times. */
  tally(filter: ActivityFilter, by: TallyBy, signal?: AbortSignal): AsyncIterable<ActivityTally>;
  /** Counts the records that name a server, by status and time slot. */
  tallySlots(filter: ActivityFilter, slotMs: number, signal?: AbortSignal): AsyncIterable<ActivitySlot>;
  /** Brings the sums up to the newest record, which otherwise happens in the background. */
  addUp(signal?: AbortSignal): Promise<void>;
  get(id: string): Promise<ActivityRecord | undefined>;
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
  ): Promise<{ sessions: SessionRecord[]; total: number }>;
  get(id: string): Promise<SessionRecord | undefined>;
  /** Closes the sessions that a crash left active; called at the start. */
  closeAll(at: number): Promise<void>;
}

export interface UsageStore {
  /** Counts one call of a tool on the day of `at`. */
  count(id: string, at: number): Promise<void>;
  /** The number of calls of a tool id within the 30 days before `now`, and the time of the last call, if any. */
  last30Days(id: string, now: number): { count: number; lastUsed: number } | undefined;
}

/** Agent tokens, also kept in memory because every request reads them. */
export interface TokenStore {
  /** All tokens, sorted by name. */
  all(): TokenRow[];
  get(name: string): TokenRow | undefined;
  /** Returns the token whose secret has this hash. The row is the same object until the token is written again. */
  byHash(hash: string): TokenRow | undefined;
  change(name: string, edit: RowEdit<TokenRow>): Promise<RowChange<TokenRow>>;
  /** Records a use in memory; it is written to the disk at intervals. */
  used(token: TokenRow, at: number): void;
  lastUsed(name: string): number | undefined;
  /**
   * Calls `listener` with the name of each replaced or removed token, before the change is durable, unless the token of a
   * signed-in client only got a new secret. @returns a function that unsubscribes
   */
  onChange(listener: (name: string) => void): () => void;
}

/** Browser sessions (`SignInRow`), also kept in memory because every request from such a browser reads one. */
export interface SignInStore {
  /** Finds a session by the hash of the cookie's secret. */
  get(hash: string): SignInRow | undefined;
  all(): SignInRow[];
  change(hash: string, edit: RowEdit<SignInRow>): Promise<RowChange<SignInRow>>;
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
  change(id: string, edit: RowEdit<UserRow>): Promise<RowChange<UserRow>>;
  /** Changes or creates the user of an identity, of whom there is at most one. */
  changeBySubject(issuer: string, subject: string, edit: RowEdit<UserRow>): Promise<RowChange<UserRow>>;
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
  change(id: string, edit: RowEdit<UserSessionRow>): Promise<RowChange<UserSessionRow>>;
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
  get(id: string): Promise<ScanRow | undefined>;
  of(server: string): Promise<ScanRow[]>;
  all(): Promise<ScanRow[]>;
  /** Scans that have not ended and that no running process makes. Called at the start. */
  leftOver(): Promise<ScanRow[]>;
  /** The last scan of a server that has a report. Kept in memory, because every list of servers reads it. */
  last(server: string): ScanRow | undefined;
  /** Inserts or replaces a scan. Only the newest `keep` scans of the server are kept. */
  put(row: ScanRow, keep: number): Promise<void>;
  /** Changes a scan in one step with reading it; without such a scan nothing is done. */
  change(id: string, edit: (row: ScanRow) => ScanRow | undefined): Promise<void>;
  removeServer(server: string): Promise<void>;
}

/** Small JSON values by key, few enough to be kept in memory. */
export interface MetaStore {
  get(key: string): unknown;
  /** Stores a value; undefined deletes it. */
  set(key: string, value: unknown): Promise<void>;
  /**
   * Changes a value in one step with reading it. `edit` is called like a `RowEdit`.
   *
   * @param edit returns the new value, or undefined to change nothing
   * @returns the value afterwards
   */
  change(key: string, edit: (current: unknown) => unknown): Promise<unknown>;
}

/** JSON values by key that are large or many, and seldom read. */
export interface DocumentStore {
  get(key: string): Promise<unknown>;
  /** Stores a value; undefined deletes it. */
  set(key: string, value: unknown): Promise<void>;
  /**
   * Changes a value in one step with reading it.
   *
   * @param edit returns the new value, or undefined to change nothing
   * @returns the value afterwards
   */
  change(key: string, edit: (current: unknown) => unknown): Promise<unknown>;
  /** Returns the keys that begin with this text of ASCII characters, in any order. */
  keys(prefix: string): Promise<string[]>;
  /** Present if several processes share the database. */
  readonly shared?: SharedDocuments;
}

/** For a process that caches documents which other processes also change. */
interface SharedDocuments {
  /** Runs `work`, which takes less than half a minute, while no other process does so for the same key. */
  exclusively<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Calls `listener` with the key of each document that was changed, by whomever. @returns a function that unsubscribes */
  onChange(listener: (key: string) => void): () => void;
}

/** Responses that are replayed when a client repeats a request with the same `Idempotency-Key`. */
export interface AnswerStore {
  get(id: string): Promise<IdempotentAnswer | undefined>;
  /**
   * Inserts or replaces a response. Removes those older than `before`, and the oldest ones if there are more than
   * `max`.
   */
  put(answer: IdempotentAnswer, limits: { before: number; max: number }): Promise<void>;
}
