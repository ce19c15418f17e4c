import type { App } from "../../core/app.ts";
import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";
import { withDefaults } from "./client-metadata.ts";

/**
 * Limits for what a client's host may send, so that a slow or large document occupies little. The library's own limit is
 * 2.5 s.
 */
const TIMEOUT_MS = 2000;
const MAX_BYTES = 32 * 1024;

/**
 * Fetches the metadata document of a client, or its keys. Addresses in private networks are rejected unless the
 * configuration allows them; redirects are errors, because the URL is the client's identity (client ID metadata
 * documents, draft 02 §4).
 */
export async function fetchClientDocument(app: App, url: string, signal: AbortSignal): Promise<Response> {
  const { status, text, headers } = await app.egress.fetch(url, {
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    redirects: 0,
    headers: { accept: "application/json" },
  });
  const kept = new Headers();
  const cacheControl = headers.get("cache-control");
  if (cacheControl !== null) kept.set("cache-control", cacheControl);
  return new Response(normalised(url, text), { status, headers: kept });
}

/** Adds what the provider needs to know of MCP clients to a metadata document. */
function normalised(url: string, text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  return isJsonObject(value) && value.client_id === url ? JSON.stringify(withDefaults(value as JsonObject)) : text;
}
