import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { ActivityRecord } from "#lib/core/schema/activity.ts";
import type { ItemApprovalRow } from "#lib/core/schema/item.ts";
import type { TokenRow } from "#lib/core/schema/token.ts";
import type { ApprovalRow } from "#lib/core/schema/tool.ts";
import type { UserRow } from "#lib/core/schema/user.ts";
import { openStore, type StoreOptions } from "#lib/core/store/open-store.ts";
import type { ApprovalStore, ItemApprovalStore, Store, TokenStore, UserStore } from "#lib/core/store/store.ts";
import { type Files, hostFiles } from "#lib/sqlite/files.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import { type HandClock, handClock } from "#test/kit/clock.ts";
import { type HeardLog, heardLog } from "#test/kit/log.ts";

/** Creates a temporary folder, with a function that removes it. */
export function temporaryFolder(): { dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** The real disk; while `fail` is set, the named calls throw it. */
export interface FaultyFiles extends Files {
  fail: { on: readonly (keyof Files)[]; code: string } | undefined;
}

export function faultyFiles(): FaultyFiles {
  const files: FaultyFiles = { ...hostFiles, fail: undefined };
  for (const call of Object.keys(hostFiles) as (keyof Files)[]) {
    const real = hostFiles[call] as (...inputs: unknown[]) => unknown;
    const faulty = (...inputs: unknown[]) => {
      if (!files.fail?.on.includes(call)) return real(...inputs);
      const { code } = files.fail;
      throw Object.assign(new Error(`${code}: told to fail, ${call}`), { code, syscall: call });
    };
    Object.assign(files, { [call]: faulty });
  }
  return files;
}

export interface TestStore extends Store {
  readonly dir: string;
  readonly clock: HandClock;
  readonly log: HeardLog;
}

/** Opens a store for one test, in a new folder unless `dir` is given; it is closed and removed after the test. */
export async function testStore(t: TestContext, options: Partial<StoreOptions> = {}): Promise<TestStore> {
  const { dir, remove } = options.dir === undefined ? temporaryFolder() : { dir: options.dir, remove: () => {} };
  const [clock, log] = [handClock(), heardLog()];
  const sqlite = options.sqlite ?? (await loadSqlite(options.files));
  try {
    const store = await openStore({ clock, log, ...options, dir, sqlite });
    t.after(() => store.close().finally(remove));
    return Object.assign(store, { dir, clock, log });
  } catch (error) {
    remove();
    throw error;
  }
}

let made = 0;

/** An activity record of a successful call, with the given changes. */
export function activityRecord(own: Partial<ActivityRecord> = {}): ActivityRecord {
  const at = own.at ?? 1_700_000_000_000;
  return {
    id: `r${String(made++).padStart(10, "0")}`,
    type: "tool_call",
    source: "mcp",
    status: "success",
    at,
    ...own,
  };
}

export function approvalRow(server: string, tool: string, own: Partial<ApprovalRow> = {}): ApprovalRow {
  const current = { name: tool, description: `does ${tool}`, inputSchema: { type: "object" } };
  return {
    server,
    tool,
    status: "pending",
    disabled: false,
    currentHash: "sha256/v2:00",
    current,
    updatedAt: 1,
    ...own,
  };
}

/** Writes whole approvals, whatever is stored. */
export async function putApprovals(approvals: Pick<ApprovalStore, "changeAll">, rows: readonly ApprovalRow[]) {
  const servers = new Set(rows.map(({ server }) => server));
  await Promise.all(
    [...servers].map((server) => {
      const byTool = new Map(rows.filter((row) => row.server === server).map((row) => [row.tool, row]));
      return approvals.changeAll(server, [...byTool.keys()], (_, tool) => byTool.get(tool));
    }),
  );
}

/** Writes the whole approval of an item, whatever is stored. */
export const putItemApproval = (approvals: Pick<ItemApprovalStore, "changeAll">, row: ItemApprovalRow) =>
  approvals.changeAll(row.server, [row], () => row);

/** Writes a whole token, whatever is stored. */
export const putToken = (tokens: Pick<TokenStore, "change">, row: TokenRow) => tokens.change(row.name, () => row);

/** Writes a whole user, whatever is stored. */
export const putUser = (users: Pick<UserStore, "change">, row: UserRow) => users.change(row.id, () => row);
