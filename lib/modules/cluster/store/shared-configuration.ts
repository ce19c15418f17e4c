import type { JsonObject } from "../../../core/base/json-object.ts";
import type { SharedConfig, SharedConfigVersion } from "../../../core/store/shared-config.ts";
import type { Database } from "../database.ts";
import { recordTable } from "../record-table.ts";
import { nextRevision } from "../revision.ts";
import { putRows, readRows } from "../shared-table.ts";
import type { OpenTable } from "./open-table.ts";

interface ConfigurationRow {
  readonly name: string;
  readonly version: number;
  readonly document: JsonObject;
  readonly author: string;
  readonly changedAt: number;
}

export const configurationTable = recordTable<ConfigurationRow>({
  topic: "configuration",
  table: "configuration",
  key: ["name"],
  members: { name: "text", version: "bigint", document: "json", author: "text", changedAt: "bigint" },
});

/** The name of the only row. */
const NAME = "shared";
const WRITE_TIMEOUT_MS = 3000;

export function createSharedConfiguration(
  database: Database,
  { view }: Pick<OpenTable<ConfigurationRow>, "view">,
): SharedConfig {
  /** What this replica stored, until the view has it. */
  let stored: { readonly rev: number; readonly version: SharedConfigVersion } | undefined;
  view.onRead((keys) => {
    // The whole table was read, after which older revisions may be the newest ones, as in a restored database.
    if (!keys) stored = undefined;
  });
  const current = (): SharedConfigVersion | undefined => {
    if (stored && view.revision() < stored.rev) return stored.version;
    const row = view.get(NAME);
    return row && { version: row.version, document: row.document, by: row.author };
  };
  return {
    current,
    onChange: view.onRead,
    async replace(document, seen, by) {
      const rev = await database.transact(
        async (sql) => {
          // It locks the topic, so that the row stays as it is read.
          const next = await nextRevision(sql, configurationTable.topic);
          const rows = await readRows(sql, configurationTable, { keys: [[NAME]], firsts: [] });
          if ((rows.get(NAME)?.version ?? 0) !== seen) return undefined;
          const row = { name: NAME, version: seen + 1, document, author: by, changedAt: Date.now() };
          await putRows(sql, configurationTable, [row], next);
          return next;
        },
        { timeoutMs: WRITE_TIMEOUT_MS },
      );
      if (rev === undefined) {
        await view.update();
        return current()!;
      }
      const version = { version: seen + 1, document, by };
      stored = { rev, version };
      return version;
    },
  };
}
