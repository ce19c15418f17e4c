import { Fault } from "../../../core/base/fault.ts";

/**
 * Reads an authorization response from text that a person copied from the browser: the complete URL, or the part after
 * the question mark. Other text is rejected, so that a mistake does not use up the sign-in.
 *
 * @throws Fault invalid_request that says what to copy instead
 */
export function readPastedResponse(text: string): URLSearchParams {
  const trimmed = text.trim();
  const query = URL.canParse(trimmed) ? new URL(trimmed).searchParams : queryOf(trimmed);
  if (query.has("state") && (query.has("code") || query.has("error"))) return query;
  throw new Fault("invalid_request", { reason: `redirect_url: ${query.has("redirect_uri") ? TOO_EARLY : INCOMPLETE}` });
}

const queryOf = (text: string) => new URLSearchParams(text.replace(/#.*$/, "").replace(/^[^?]*\?/, ""));

const INCOMPLETE =
  "this is not the address at which a sign-in ended; copy the complete address, with code= and state=, from the address bar of the browser, even if its page did not load";
const TOO_EARLY =
  "this is the address to start at; open it in a browser, sign in, and copy the address at which the browser ends";
