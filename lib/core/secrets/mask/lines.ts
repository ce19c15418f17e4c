import { maskSecret } from "./mask.ts";
import { scrubText } from "./text.ts";

/** A complete line of a key file's body. Ordinary log lines do not have this form. */
const KEY_LINE = /^\s*[A-Za-z0-9+/]{60,76}={0,2}\s*$/;

/**
 * Masks the credentials in one log line (spec 000 §2.9). A private key of several lines reaches the log line by line,
 * so a line that contains only base64 is masked completely.
 */
export function scrubLine(line: string): string {
  const scrubbed = scrubText(line);
  return scrubbed === line && KEY_LINE.test(line) ? line.replace(/\S+/, maskSecret) : scrubbed;
}
