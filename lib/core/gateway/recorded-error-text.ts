import { scrubText } from "../secrets/mask/text.ts";
import type { NewActivityRecord } from "./record-activity.ts";

/** Replaces the secrets of a server's definition in a text that the server may have written. */
type Mask = ((text: string) => string) | undefined;

/** Longest error text kept with a record (characters). */
const MAX_ERROR = 8192;

/** Characters read beyond the cut, so that a secret that crosses it is still recognised. */
const SPARE = 4096;

/** Keeps the beginning of an error: an upstream may send long ones, and the cost of masking grows with the length. */
export function recordedErrorText(reason: string, mask: Mask): string {
  if (reason.length <= MAX_ERROR) return scrubText(mask ? mask(reason) : reason);
  const shown = scrubText(beginning(reason, MAX_ERROR + SPARE, mask));
  return `${shown.slice(0, -SPARE).slice(0, MAX_ERROR)}… [truncated: the error has ${reason.length} characters]`;
}

/**
 * Keeps the beginning of an answer, without the secrets of its server's definition. Scrubbing every answer by shape
 * would cost more than the call; that is done when it is shown.
 */
export function keepCallResponse(entry: NewActivityRecord, raw: string, max: number, mask: Mask): void {
  entry.response_bytes = Buffer.byteLength(raw);
  entry.response_truncated = raw.length > max;
  entry.response = beginning(raw, max, mask);
}

/** The first characters of a masked text; no part of a secret remains at the cut. */
function beginning(text: string, max: number, mask: Mask): string {
  const head = text.length > max + SPARE ? text.slice(0, max + SPARE) : text;
  const masked = mask ? mask(head) : head;
  if (masked === head) return text.length > max ? text.slice(0, max) : text;
  return (head.length < text.length ? masked.slice(0, -SPARE) : masked).slice(0, max);
}
