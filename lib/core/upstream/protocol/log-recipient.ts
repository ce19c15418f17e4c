import { ownerKey } from "../../schema/caller.ts";
import type { PendingRequest } from "./pending-request.ts";

/**
 * Determines the recipient of a log message that names no request. If all requests in progress are of one caller, it is
 * this caller, because the message may contain data of the requests. With requests of several callers, nobody gets it.
 *
 * @param requests requests without a response, oldest first
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
