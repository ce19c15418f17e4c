import type { Context } from "hono";
import { Fault } from "../base/fault.ts";

/** Says in `ETag` which revision an answer shows. */
export function showRevision(c: Context, revision: string): void {
  c.header("ETag", `"${revision}"`);
}

/**
 * The revisions a change is meant for, as `If-Match` names them; undefined when any will do (RFC 9110 §13.1.1).
 *
 * @throws Fault invalid_request
 */
export function expectedRevisions(c: Context): readonly string[] | undefined {
  const header = c.req.header("if-match")?.trim();
  if (header === undefined || header === "*") return undefined;
  const tags = header.split(",").map((tag) => /^(W\/)?"([^"]*)"$/.exec(tag.trim()));
  if (tags.some((tag) => tag === null))
    throw new Fault("invalid_request", { reason: 'If-Match: send the ETag of what was read, such as "8f14e4…", or *' });
  // A weak mark never matches here.
  return tags.flatMap((tag) => (tag && tag[1] === undefined ? [tag[2]!] : []));
}
