import { docsPath } from "../../core/base/docs-path.ts";
import type { Egress, EgressResponse } from "../../core/base/egress/egress.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;

const MCP_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

/** Requests that only an administrator may make. */
const MANAGEMENT = ["/api/v1/servers", "/api/v1/config", "/api/v1/tokens", "/metrics"];

/**
 * Checks a published proxy as a client on the internet sees it: TLS, the metadata for signing in, the rejection of
 * requests without a credential, and that management is closed.
 *
 * @param url origin of the proxy
 */
export async function checkPublic(egress: Egress, url: URL, signal: AbortSignal): Promise<DoctorFinding[]> {
  const { origin } = url;
  const ask = (path: string, method = "GET") =>
    egress.fetch(origin + path, {
      signal,
      method,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      redirects: 0,
      allow: [url.host],
      ...(method === "POST" && { headers: MCP_HEADERS, body: PING }),
    });
  let refused: EgressResponse;
  try {
    refused = await ask("/mcp", "POST");
  } catch (error) {
    signal.throwIfAborted();
    return [finding("error", "public_unreachable", `${origin} cannot be reached`, reasonOf(error), REACH)];
  }
  const findings = [...tlsFindings(url), ...rejectionFindings(origin, refused)];
  const resource = await json(ask("/.well-known/oauth-protected-resource/mcp"), signal);
  const server = await json(ask("/.well-known/oauth-authorization-server"), signal);
  findings.push(...metadataFindings(origin, resource, server));
  for (const path of MANAGEMENT) {
    const { status } = await ask(path).catch(() => ({ status: 0 }));
    if (status >= 200 && status < 300)
      findings.push(
        finding("error", "public_management_open", `${origin}${path} answers without a credential`, undefined, CLOSE),
      );
  }
  return findings;
}

const REACH = "Check the DNS name, the certificate, and that the reverse proxy or tunnel is running";
const CLOSE = "Let the reverse proxy add no credential, and listen on a loopback address only";
const ENABLE = "Set auth.oauth.enabled and auth.oauth.public_url in the configuration, then start the proxy again";

function tlsFindings({ protocol, origin }: URL): DoctorFinding[] {
  if (protocol === "https:") return [];
  return [
    finding(
      "error",
      "public_without_tls",
      `${origin} has no TLS`,
      "Everybody on the way can read the tokens of clients.",
      "Publish the proxy under an https address",
    ),
  ];
}

function rejectionFindings(origin: string, { status, headers }: EgressResponse): DoctorFinding[] {
  if (status >= 200 && status < 300)
    return [
      finding(
        "error",
        "public_mcp_open",
        `${origin}/mcp accepts clients without a credential`,
        "Everybody can call every tool.",
        "Set require_mcp_auth or auth.oauth.enabled to true",
      ),
    ];
  if (status !== 401)
    return [
      finding(
        "error",
        "public_mcp_missing",
        `${origin}/mcp answers with status ${status} instead of 401`,
        "Clients begin to sign in only after a 401.",
        "Check that the reverse proxy passes on /mcp with its Host header, and that trusted_hosts names this host",
      ),
    ];
  const challenge = headers.get("www-authenticate") ?? "";
  const named = /resource_metadata="([^"]*)"/.exec(challenge)?.[1];
  if (named === undefined)
    return [finding("error", "public_sign_in_off", "Clients are not told where to sign in", undefined, ENABLE)];
  if (named.startsWith(`${origin}/`)) return [];
  return [
    finding(
      "error",
      "public_other_origin",
      `Clients are sent to ${new URL(named).origin} to sign in`,
      `They compare it with ${origin}, and reject it.`,
      `Set auth.oauth.public_url to ${origin}`,
    ),
  ];
}

function metadataFindings(
  origin: string,
  resource: JsonObject | undefined,
  server: JsonObject | undefined,
): DoctorFinding[] {
  const wrong = [
    ...(resource?.resource === `${origin}/mcp` ? [] : ["/.well-known/oauth-protected-resource/mcp"]),
    ...(server?.issuer === origin ? [] : ["/.well-known/oauth-authorization-server"]),
  ];
  return wrong.map((path) =>
    finding(
      "error",
      "public_metadata",
      `${path} does not describe ${origin}`,
      undefined,
      `Pass on /.well-known/oauth-* in the reverse proxy, and set auth.oauth.public_url to ${origin}`,
    ),
  );
}

async function json(asked: Promise<EgressResponse>, signal: AbortSignal): Promise<JsonObject | undefined> {
  try {
    const { status, text } = await asked;
    const value: unknown = JSON.parse(text);
    return status === 200 && isJsonObject(value) ? value : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function finding(
  severity: DoctorFinding["severity"],
  code: string,
  title: string,
  detail: string | undefined,
  action: string,
): DoctorFinding {
  const docs = docsPath("troubleshooting", code);
  return { code, severity, title, ...(detail !== undefined && { detail }), docs, remedy: { action } };
}
