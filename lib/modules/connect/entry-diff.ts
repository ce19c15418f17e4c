import { structuredPatch } from "diff";
import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";
import { scrubLine } from "../../core/secrets/mask/lines.ts";
import type { Client } from "./client.ts";
import { Malformed } from "./document.ts";
import { put } from "./edit.ts";

/** Longest difference that is shown. (characters) */
const MAX_CHARACTERS = 64 * 1024;
/** A comparison that takes longer is omitted (ms). */
const DIFF_TIMEOUT_MS = 1000;
/** Replaces a value that is not shown. */
const HIDDEN = "…";

/**
 * The change that a connect makes to a client's entry, in the format of `diff -u`.
 *
 * It contains nothing else of the file. Of the existing entry it shows only names, and values that do not change (spec
 * 000 §2.7): a configuration may hold a secret anywhere, also under a harmless name or as an argument.
 *
 * @param raw the entry to be written, its secret masked
 */
export function entryDiff(client: Client, name: string, existing: JsonObject | undefined, raw: JsonObject): string {
  const before = existing ? rendered(client, name, namesOf(existing, raw) as JsonObject) : "";
  const after = rendered(client, name, raw);
  const patch = structuredPatch("before", "after", before, after, "", "", { context: 3, timeout: DIFF_TIMEOUT_MS });
  if (!patch) return "the entries differ in too many places to show the differences";
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: hunkLines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...hunkLines.map((line) => line.slice(0, 1) + scrubLine(line.slice(1).replace(/\r$/, ""))),
  ]);
  const text = lines.join("\n");
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n…` : text;
}

/** The entry as written in an otherwise empty file, or as JSON if the client's format cannot express it. */
function rendered(client: Client, name: string, entry: JsonObject): string {
  try {
    return put(client, "", name, entry);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return `${JSON.stringify({ [name]: entry }, undefined, 2)}\n`;
  }
}

/** Hides all values that the new entry does not contain as well. */
function namesOf(value: unknown, next: unknown): unknown {
  if (Array.isArray(value)) return value.map((item, i) => namesOf(item, Array.isArray(next) ? next[i] : undefined));
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, namesOf(item, isJsonObject(next) ? next[key] : undefined)]),
    );
  return value === next ? value : HIDDEN;
}
