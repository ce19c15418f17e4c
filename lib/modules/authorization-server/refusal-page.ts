import type { Context } from "hono";
import { isJsonObject } from "../../core/base/json-object.ts";
import { failedPage, PAGE_HEADERS } from "../oauth/login/page.ts";

const CONNECT_AGAIN = "sign out of this server in the client, or remove the server there and add it again";

/** What a person in front of a browser reads, by the error code. */
const TEXTS: Readonly<Record<string, { what: string; suggestion: string }>> = {
  invalid_client: { what: "the proxy does not know this client, or no longer", suggestion: CONNECT_AGAIN },
  invalid_redirect_uri: {
    what: "the client wants the answer at an address that it did not register",
    suggestion: CONNECT_AGAIN,
  },
  invalid_request: {
    what: "this sign-in has expired or was answered already, or the client's request is incomplete",
    suggestion: "start it again in the client",
  },
};

/** For a client whose id is the URL of its metadata document. */
const NO_DOCUMENT = {
  what: "the proxy could not use the document that describes this client",
  suggestion: "try again later; an administrator sees the cause with: proxy activity list --type policy_decision",
};

/**
 * Replaces an error of the authorization endpoint that cannot be sent to the client by a page, if a browser shows it to a
 * person (RFC 6749 §4.1.2.1). The page contains only texts of the proxy.
 */
export async function withRefusalPage(c: Context, response: Response): Promise<Response> {
  if (response.status < 400 || !c.req.header("accept")?.includes("text/html")) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const error = isJsonObject(body) ? String(body.error) : "";
  const isByDocument = error === "invalid_client" && c.req.query("client_id")?.startsWith("https://");
  const known = isByDocument ? NO_DOCUMENT : Object.hasOwn(TEXTS, error) ? TEXTS[error] : undefined;
  const text = known ?? { what: "the sign-in failed", suggestion: CONNECT_AGAIN };
  const headers = new Headers(PAGE_HEADERS);
  for (const cookie of response.headers.getSetCookie()) headers.append("set-cookie", cookie);
  return new Response(failedPage(text), { status: response.status, headers });
}
