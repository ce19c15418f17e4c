import { ownerKey } from "../../schema/caller.ts";
import type { PendingRequest } from "./pending-request.ts";

/**
 * Whose log message it is that names no request. While one caller's requests are under way it is taken for that caller's,
 * since it may tell of them; with requests of several callers nobody gets it.
 *
 * @param requests those without an answer, oldest first
 */
export function logRecipient(requests: Iterable<PendingRequest>): PendingRequest | "everybody" | "nobody" {
  let owner: string | undefined;
  let chosen: PendingRequest | undefined;
  for (const pending of requests) {
    const { caller, logs } = pending.options;
    if (!caller) continue;
    owner ??= ownerKey(caller);
    if (owner !== ownerKey(caller)) return "nobody";
    if (logs) chosen ??= pending;
  }
  if (owner === undefined) return "everybody";
  return chosen ?? "nobody";
}
