import { scrubText } from "../secrets/mask/text.ts";
import type { NewActivityRecord } from "./record-activity.ts";

/** Replaces the secrets of a server's definition in a text. */
type Mask = ((text: string) => string) | undefined;

/** Maximum length of an error text in a record (characters). */
const MAX_ERROR = 8192;

/** Number of characters that are masked beyond the limit, so that a secret at the cut is recognised. */
const SPARE = 4096;

/**
 * Returns the masked beginning of an error text. Only the beginning is masked, because upstreams may send long texts
 * and the time for masking grows with the length.
 */
export function recordedErrorText(reason: string, mask: Mask): string {
  if (reason.length <= MAX_ERROR) return scrubText(mask ? mask(reason) : reason);
  const shown = scrubText(beginning(reason, MAX_ERROR + SPARE, mask));
  return `${shown.slice(0, -SPARE).slice(0, MAX_ERROR)}… [truncated: the error has ${reason.length} characters]`;
}

/**
 * Stores the beginning of a response in the record, without the secrets of the server's definition. Other secrets are
 * masked when the record is shown, because searching every response for them would take longer than the call.
 */
export function keepCallResponse(entry: NewActivityRecord, raw: string, max: number, mask: Mask): void {
  entry.response_bytes = Buffer.byteLength(raw);
  entry.response_truncated = raw.length > max;
  entry.response = beginning(raw, max, mask);
}

/** Returns the first characters of a text after masking, without a part of a secret at the end. */
function beginning(text: string, max: number, mask: Mask): string {
  const head = text.length > max + SPARE ? text.slice(0, max + SPARE) : text;
  const masked = mask ? mask(head) : head;
  if (masked === head) return text.length > max ? text.slice(0, max) : text;
  return (head.length < text.length ? masked.slice(0, -SPARE) : masked).slice(0, max);
}
