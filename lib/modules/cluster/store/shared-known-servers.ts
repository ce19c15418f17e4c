import type { KnownServer } from "../../../core/schema/known-server.ts";
import type { KnownServerStore } from "../../../core/store/store.ts";
import { recordTable } from "../record-table.ts";
import type { OpenTable } from "./open-table.ts";

export const knownServerTable = recordTable<KnownServer>({
  topic: "known_servers",
  table: "known_server",
  key: ["name"],
  members: { name: "text", identity: "text", baseline: "text", noticedAt: "bigint", removedAt: "bigint" },
});

export function createSharedKnownServers({ view, writer }: OpenTable<KnownServer>): KnownServerStore {
  return {
    all: () => view.all(),
    get: (name) => view.get(name),
    changeAll: (names, edit) =>
      writer.change(
        names.map((name) => [name]),
        (row, [name]) => edit(row, name!),
      ),
    durable: () => writer.idle(),
  };
}
