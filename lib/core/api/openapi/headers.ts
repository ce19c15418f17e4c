import { type Endpoint, isConditional } from "../endpoint.ts";
import { matchedRevision } from "../revision.ts";
import type { SchemaJson } from "./schema.ts";

/** The headers of responses, to which `headersOf` refers. */
export const HEADERS: Readonly<Record<string, SchemaJson>> = {
  RequestId: {
    description: "id of the request: the client's, if it is well-formed, else a new one",
    schema: { type: "string", pattern: "^[a-zA-Z0-9_-]{1,256}$" },
  },
  ETag: {
    description:
      "version of the resource; send it as `If-None-Match` with a read, or as `If-Match` with a change that supports it",
    schema: { type: "string" },
  },
  RetryAfter: { description: "seconds to wait before a retry", schema: { type: "string", pattern: "^\\d+$" } },
  Location: { description: "URL of the redirect, or of the created resource", schema: { type: "string" } },
  PreferenceApplied: { description: "`respond-async`", schema: { type: "string" } },
  IdempotencyReplayed: {
    description: "`true`: the response repeats that of an earlier request with the same `Idempotency-Key`",
    schema: { type: "string" },
  },
  WWWAuthenticate: { description: "required credential", schema: { type: "string" } },
  Allow: { description: "methods that the path supports", schema: { type: "string" } },
};

const ref = (name: string): SchemaJson => ({ $ref: `#/components/headers/${name}` });

/** Returns the headers that a response with this status can have. */
export function headersOf(e: Endpoint, status: number): SchemaJson {
  const { status: success = 200 } = e.spec.answers ?? {};
  const isTagged = isConditional(e) && (status === 200 || status === 304);
  return {
    "X-Request-Id": ref("RequestId"),
    ...(isTagged && { ETag: ref("ETag") }),
    ...((status === 429 || status === 503) && { "Retry-After": ref("RetryAfter") }),
    ...(status === 401 && { "WWW-Authenticate": ref("WWWAuthenticate") }),
    ...(status >= 300 && status < 304 && { Location: ref("Location") }),
    ...(status === 202 &&
      e.spec.deferrable && { Location: ref("Location"), "Preference-Applied": ref("PreferenceApplied") }),
    ...(status === success && e.spec.creates && { "Idempotency-Replayed": ref("IdempotencyReplayed") }),
  };
}

/** The response to a method that the path does not support. It belongs to no operation. */
export const METHOD_NOT_ALLOWED: SchemaJson = {
  description: "The path does not support this method.",
  headers: { Allow: ref("Allow"), "X-Request-Id": ref("RequestId") },
};

/** Returns the request headers other than the credential. */
export function headerParameters(e: Endpoint): SchemaJson[] {
  const what = matchedRevision(e);
  const headers: Record<string, string> = {
    ...(what && {
      "If-Match": `ETag of the ${what} that the change is based on; the response is 412 if it has changed`,
    }),
    ...(isConditional(e) && {
      "If-None-Match": "ETag of the client's copy; the response is 304 if the resource has not changed",
    }),
    ...(e.spec.creates && {
      "Idempotency-Key":
        "idempotency key of 1 to 255 characters: a repeated request with the same key within 24 hours returns the first response instead of acting again; the response is 422 if the request differs",
    }),
    ...(e.spec.deferrable && {
      Prefer: "`respond-async`: respond with 202 immediately and continue as a job, whose URL is in `Location`",
    }),
    ...e.spec.headers,
    "X-Request-Id":
      "id for the request: up to 256 letters, digits, dashes and underscores; absent or invalid: the proxy generates one",
  };
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    description,
    schema: { type: "string" },
  }));
}
