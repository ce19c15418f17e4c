import type { Context } from "hono";
import { readForm } from "../../core/api/read-json-body.ts";
import { Fault } from "../../core/base/fault.ts";
import { MAX_OAUTH_BODY_BYTES } from "./ask-oauth.ts";

/**
 * Reads the form of a request to an endpoint of OAuth.
 *
 * @returns a response in the form of RFC 6749 §5.2 if the body is no form
 * @throws Fault body_too_large
 */
export async function readOAuthForm(c: Context): Promise<URLSearchParams | Response> {
  try {
    return await readForm(c.req.raw, MAX_OAUTH_BODY_BYTES);
  } catch (error) {
    if (!(error instanceof Fault) || error.code === "body_too_large") throw error;
    const isOther = error.code === "unsupported_media_type";
    const description = isOther ? "the Content-Type must be application/x-www-form-urlencoded" : error.message;
    const body = { error: "invalid_request", error_description: description };
    return c.json(body, 400, { "Cache-Control": "no-store" });
  }
}
