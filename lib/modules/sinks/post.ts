import type { App } from "../../core/app.ts";
import type { Egress, EgressFetchOptions, EgressResponse } from "../../core/base/egress/egress.ts";
import { excerpt } from "../../core/base/excerpt.ts";
import { Fault } from "../../core/base/fault.ts";
import { isHostListed } from "../../core/base/host-port.ts";
import { RejectedRecords, RetryLater } from "./destination.ts";

/** Time limit of one request. (ms) */
const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
/** Statuses with which a receiver says that this content is the problem, and not its own state. */
const REJECTING: ReadonlySet<number> = new Set([400, 413, 422]);

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends JSON to a receiver through the guarded fetch. Redirects are not followed.
 *
 * @throws RejectedRecords for a response with status 400, 413 or 422
 * @throws RetryLater if the response says when to try again; Error for every other status that is not 2xx
 * @throws Fault address_refused, fetch_failed
 */
export async function post(
  app: { readonly egress: Egress } & Pick<App, "config">,
  { url, headers, body }: Post,
  signal: AbortSignal,
): Promise<EgressResponse> {
  const target = parseUrl(url);
  if (!target) throw new Error("the configured url, with its references replaced, is not a URL");
  refusePlainHttp(target, app.config.current().outbound_allow);
  const response = await fetchWithoutPath(app, target, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body,
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_RESPONSE_BYTES,
    redirects: 0,
  });
  const { status, text } = response;
  if (status >= 200 && status < 300) return response;
  const said = excerpt(text.trim());
  const message = `the receiver answered with status ${status}${said === "" ? "" : `: ${said}`}`;
  if (REJECTING.has(status)) throw new RejectedRecords(message);
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  throw seconds > 0 ? new RetryLater(message, seconds * 1000) : new Error(message);
}

/** The path of a webhook is often its credential, so it must not be part of a message. */
async function fetchWithoutPath({ egress }: { readonly egress: Egress }, url: URL, options: EgressFetchOptions) {
  try {
    return await egress.fetch(url, options);
  } catch (error) {
    if (!(error instanceof Fault) || typeof error.facts.reason !== "string") throw error;
    const facts = { url: url.origin, reason: error.facts.reason };
    if (error.code === "fetch_failed") throw new Fault("fetch_failed", facts);
    if (error.code === "address_refused") throw new Fault("address_refused", facts);
    throw error;
  }
}

/** Without TLS everybody on the way reads the records, so the operator must allow the host by name. */
function refusePlainHttp({ protocol, hostname, port, origin }: URL, allow: readonly string[]): void {
  if (protocol === "https:" || isHostListed(hostname.replace(/^\[(.*)\]$/, "$1"), Number(port || 80), allow)) return;
  throw new Fault("address_refused", { url: origin, reason: "is not an https address" });
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
