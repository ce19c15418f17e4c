import { isLoopback } from "../../core/base/host-port.ts";
import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";
import { Fault } from "./faults.ts";

/** The members of a client's metadata that have a meaning here; all others are ignored (RFC 7591 §2). */
const TEXTS = ["client_id", "client_name", "client_uri", "logo_uri", "tos_uri", "policy_uri", "jwks_uri"] as const;

const MAX_TEXT = 2048;
const MAX_NAME = 100;
const MAX_REDIRECTS = 20;
/** Maximum size of what is stored of a registration, which anybody can send. (characters) */
const MAX_REGISTRATION = 4096;

/** Schemes of URLs that run code or open files in a browser. */
const UNSAFE = /^(?:javascript|data|file|vbscript|blob|about|ftp|ws|wss):$/;

/**
 * Reads the metadata of a client that registers itself. The client gets no secret: a program on a person's computer
 * cannot keep one, and PKCE protects the code.
 *
 * @throws Fault invalid_request
 */
export function registrationFrom(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw invalid("the registration must be a JSON object");
  const { redirect_uris } = body;
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > MAX_REDIRECTS)
    throw invalid(`redirect_uris: must have 1 to ${MAX_REDIRECTS} URLs`);
  for (const uri of redirect_uris)
    if (!isRedirect(uri)) throw invalid("redirect_uris: must be https URLs, http URLs of this machine, or app links");
  const { client_id: _, jwks: __, jwks_uri: ___, ...rest } = withDefaults(body);
  const registration = { ...rest, redirect_uris, token_endpoint_auth_method: "none" };
  if (JSON.stringify(registration).length > MAX_REGISTRATION)
    throw invalid(`the registration is longer than ${MAX_REGISTRATION} characters`);
  return registration;
}

/**
 * Copies the known members of a client's metadata, and adds those that MCP clients often leave out: they all renew their
 * tokens, and redirects to the person's computer may use any port (RFC 8252 §7.3).
 */
export function withDefaults(metadata: JsonObject): JsonObject {
  const { redirect_uris, token_endpoint_auth_method: method, jwks, client_name } = metadata;
  const uris = Array.isArray(redirect_uris) ? redirect_uris : [];
  const isNative = uris.length > 0 && uris.every((uri) => typeof uri === "string" && isNativeRedirect(uri));
  const hasLoopback = uris.some((uri) => typeof uri === "string" && isLoopbackRedirect(uri));
  const texts = TEXTS.flatMap((name) => {
    const value = metadata[name];
    return typeof value === "string" && value.length <= MAX_TEXT ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(texts),
    ...(typeof client_name === "string" && { client_name: client_name.slice(0, MAX_NAME) }),
    ...(typeof jwks === "object" && { jwks }),
    redirect_uris: uris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: typeof method === "string" ? method : "none",
    application_type: isNative || hasLoopback ? "native" : "web",
  };
}

function isRedirect(uri: unknown): boolean {
  if (typeof uri !== "string" || uri.length > MAX_TEXT || !URL.canParse(uri) || uri.includes("#")) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== "" || password !== "" || UNSAFE.test(protocol)) return false;
  return protocol === "https:" ? hostname !== "" : protocol === "http:" ? isOwn(hostname) : true;
}

const isLoopbackRedirect = (uri: string) => URL.canParse(uri) && isOwn(new URL(uri).hostname);

/** True for a redirect to a program on the person's computer: a loopback address or the link of an app. */
function isNativeRedirect(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol } = new URL(uri);
  return isLoopbackRedirect(uri) || (protocol !== "https:" && protocol !== "http:");
}

const isOwn = (hostname: string) => isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));

const invalid = (reason: string) => new Fault("invalid_request", { reason });
