import type { SealingKeys } from "../../../core/secrets/sealing-keys.ts";
import type { DocumentStore } from "../../../core/store/store.ts";
import { createRecords } from "../../oauth/records.ts";
import type { MovedRow } from "./embedded-rows.ts";

const PREFIX = "credentials/";

/**
 * Returns a function that encrypts stored sign-ins with another key. The sign-ins of single users have a key of their
 * own, which stays, and other documents are not encrypted.
 */
export function resealSignIns(from: SealingKeys, to: SealingKeys): (row: MovedRow) => Promise<MovedRow> {
  return async (row) => {
    const key = String(row.key);
    if (!key.startsWith(PREFIX)) return row;
    const [owner, server] = JSON.parse(key.slice(PREFIX.length)) as [string, string];
    if (owner !== "") return row;
    let value: unknown = JSON.parse(String(row.value));
    const documents: DocumentStore = {
      get: async () => value,
      set: async (_, next) => {
        value = next;
      },
      change: async () => value,
      keys: async () => [key],
    };
    const place = { owner, server };
    // A sign-in that nobody can decrypt any more is moved as it is; the person signs in again.
    const credentials = await createRecords(documents, from)
      .get(place)
      .catch(() => undefined);
    if (credentials) await createRecords(documents, to).put(place, credentials);
    return { ...row, value: JSON.stringify(value) };
  };
}
