import type { Context } from "hono";
import { Fault } from "../base/fault.ts";
import type { Job } from "../schema/job.ts";
import { answerJson } from "./answer.ts";

/** The query parameter that requests a dry run. */
export const VALIDATE_ONLY = "validate_only";

/** Parses a boolean parameter. @throws Fault invalid_request for a value other than true and false */
export function isTrue(name: string, text: string): boolean {
  if (text !== "true" && text !== "false")
    throw new Fault("invalid_request", { reason: `${name}: must be one of true, false` });
  return text === "true";
}

/** True if the client prefers an immediate response to waiting for the result (RFC 7240 §4.1). */
export function prefersAsync(c: Context): boolean {
  const preferences = c.req.header("prefer")?.split(",") ?? [];
  return preferences.some((one) => /^\s*respond-async\s*(;|$)/i.test(one));
}

/** Sends a 202 that says where the result will be. */
export function answerAccepted(c: Context, job: Job): Promise<Response> {
  c.status(202);
  c.header("Location", `/api/v1/jobs/${job.id}`);
  c.header("Preference-Applied", "respond-async");
  return answerJson(c, { success: true, data: { job } });
}

/** Returns the `Idempotency-Key` of a request, if any. @throws Fault invalid_request */
export function idempotencyKey(c: Context): string | undefined {
  const key = c.req.header("idempotency-key");
  if (key !== undefined && !/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key))
    throw new Fault("invalid_request", {
      reason: "Idempotency-Key: must be 1 to 255 characters of ASCII, such as a UUID",
    });
  return key;
}
