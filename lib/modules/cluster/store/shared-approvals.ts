import { type ItemApprovalRow, type ItemKind, LISTED_KINDS, type ListedKind } from "../../../core/schema/item.ts";
import type { Approval, ApprovalRow, ToolDefinition } from "../../../core/schema/tool.ts";
import type { ApprovalStore, ItemApprovalStore, ItemKey } from "../../../core/store/store.ts";
import { recordTable } from "../record-table.ts";
import type { View } from "../view.ts";
import type { OpenTable } from "./open-table.ts";

/** A row of the table, for an item of any kind. */
interface StoredApproval extends Approval<object> {
  server: string;
  kind: ItemKind;
  name: string;
}

export const approvalTable = recordTable<StoredApproval>({
  topic: "approvals",
  table: "approval",
  key: ["server", "kind", "name"],
  members: {
    server: "text",
    kind: "text",
    name: "text",
    status: "text",
    disabled: "boolean",
    approvedHash: "text",
    approved: "json",
    currentHash: "text",
    current: "json",
    approvedAt: "bigint",
    approvedBy: "text",
    updatedAt: "bigint",
  },
});

/** Approvals of tools and of other items, which are rows of one table. */
export function createSharedApprovals({ view, writer }: OpenTable<StoredApproval>): {
  approvals: ApprovalStore;
  itemApprovals: ItemApprovalStore;
} {
  const keys = createServerKeys(view);
  const rowsOf = (server: string) => keys.of(server).flatMap((key) => view.get(key) ?? []);
  const get = (server: string, kind: ItemKind, name: string) => view.get(server, kind, name);

  const approvals: ApprovalStore = {
    all: () => view.all().flatMap((row) => toolRow(row) ?? []),
    of: (server) => rowsOf(server).flatMap((row) => toolRow(row) ?? []),
    get: (server, tool) => toolRow(get(server, "tool", tool)),
    count: (server) => keys.of(server).length,
    async changeAll(server, tools, edit) {
      const changes = await writer.change(
        tools.map((tool) => [server, "tool", tool]),
        (row, [, , tool]) => {
          const result = edit(toolRow(row), tool!);
          return typeof result === "object" ? storedTool(result) : result;
        },
      );
      return changes.map(({ before, after }) => ({ before: toolRow(before), after: toolRow(after) }));
    },
    removeServer: (server) => writer.removeAll(server),
    onForeignChange: (listener) =>
      view.onRead((changed) => {
        const read = changed ?? view.keys();
        for (const server of new Set(read.map((key) => key.slice(0, key.indexOf("\0"))))) listener(server);
      }),
  };
  const itemApprovals: ItemApprovalStore = {
    all: () => view.all().flatMap((row) => itemRow(row) ?? []),
    of: (server, kind) =>
      (kind ? [kind] : LISTED_KINDS).flatMap((one) =>
        rowsOf(server).flatMap((row) => (row.kind === one ? (itemRow(row) ?? []) : [])),
      ),
    get: (server, kind, name) => itemRow(get(server, kind, name)),
    async changeAll(server, items, edit) {
      const changes = await writer.change(
        items.map(({ kind, name }) => [server, kind, name]),
        (row, [, kind, name]) => {
          const key: ItemKey = { kind: kind as ListedKind, name: name! };
          const result = edit(itemRow(row), key);
          return typeof result === "object" ? { ...result } : result;
        },
      );
      return changes.map(({ before, after }) => ({ before: itemRow(before), after: itemRow(after) }));
    },
  };
  return { approvals, itemApprovals };
}

/** The keys of the rows of each server. */
function createServerKeys(view: View<StoredApproval>): { of(server: string): string[] } {
  let servers = new Map<string, Set<string>>();
  const add = (key: string) => {
    const server = key.slice(0, key.indexOf("\0"));
    const keys = servers.get(server) ?? new Set();
    servers.set(server, keys.add(key));
  };
  const refresh = (keys: readonly string[] | undefined) => {
    if (!keys) {
      servers = new Map();
      view.keys().forEach(add);
    } else
      for (const key of keys)
        if (view.get(key)) add(key);
        else servers.get(key.slice(0, key.indexOf("\0")))?.delete(key);
  };
  refresh(undefined);
  view.onChange(refresh);
  return { of: (server) => [...(servers.get(server) ?? [])] };
}

function storedTool({ tool, ...row }: ApprovalRow): StoredApproval {
  return { ...row, kind: "tool", name: tool };
}

/** Makes a copy, because the receiver may change it; undefined for other items. */
function toolRow(row: StoredApproval | undefined): ApprovalRow | undefined {
  if (row?.kind !== "tool") return undefined;
  const { kind: _, name, ...rest } = row;
  // A row of this kind contains the definitions of a tool.
  return { ...(rest as Omit<StoredApproval, "kind" | "name"> & Approval<ToolDefinition>), tool: name };
}

/** Makes a copy; undefined for tools. */
function itemRow(row: StoredApproval | undefined): ItemApprovalRow | undefined {
  if (!row || row.kind === "tool") return undefined;
  return { ...(row as StoredApproval & ItemApprovalRow) };
}
