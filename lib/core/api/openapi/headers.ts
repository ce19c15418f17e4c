import { type Endpoint, isConditional } from "../endpoint.ts";
import { matched } from "../revision.ts";
import type { Json } from "./schema.ts";

/** The headers of answers, for `headersOf` to refer to. */
export const HEADERS: Readonly<Record<string, Json>> = {
  RequestId: {
    description: "the request's id: the client's own where it is well formed, else a new one",
    schema: { type: "string", pattern: "^[a-zA-Z0-9_-]{1,256}$" },
  },
  ETag: {
    description:
      "marks what was answered; send it as `If-None-Match`, or with a change as `If-Match` where that is taken",
    schema: { type: "string" },
  },
  RetryAfter: { description: "seconds to wait before the next try", schema: { type: "string", pattern: "^\\d+$" } },
  Location: { description: "where to go, or to look, next", schema: { type: "string" } },
  PreferenceApplied: { description: "`respond-async`", schema: { type: "string" } },
  IdempotencyReplayed: {
    description: "`true` when the answer is that to an earlier request with the same `Idempotency-Key`",
    schema: { type: "string" },
  },
  WWWAuthenticate: { description: "which credential is asked for", schema: { type: "string" } },
  Allow: { description: "the methods that the path takes", schema: { type: "string" } },
};

const ref = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

/** The headers that an answer of this status has, or may have. */
export function headersOf(e: Endpoint, status: number): Json {
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

/** The answer to a method that a path does not take; no operation gives it. */
export const METHOD_NOT_ALLOWED: Json = {
  description: "The path does not take this method.",
  headers: { Allow: ref("Allow"), "X-Request-Id": ref("RequestId") },
};

/** The headers that a request may have beside its credential. */
export function headerParameters(e: Endpoint): Json[] {
  const what = matched(e);
  const headers: Record<string, string> = {
    ...(what && {
      "If-Match": `ETag of the ${what} that the change is meant for; 412 when it is another one by now`,
    }),
    ...(isConditional(e) && {
      "If-None-Match": "ETag of the answer that the client has; 304 while it would be answered the same",
    }),
    ...(e.spec.creates && {
      "Idempotency-Key":
        "the client's name for this request, 1 to 255 characters: repeated within 24 hours, it gives the first answer again instead of doing it twice; 422 when the request is another one",
    }),
    ...(e.spec.deferrable && {
      Prefer: "`respond-async`: answer 202 at once, with a job whose address is in `Location`, and go on behind it",
    }),
    ...e.spec.headers,
    "X-Request-Id":
      "an id for the request, up to 256 letters, digits, dashes and underscores; otherwise it is given one",
  };
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    description,
    schema: { type: "string" },
  }));
}
