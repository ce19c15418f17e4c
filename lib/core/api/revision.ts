import type { Context } from "hono";
import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { revisionOf } from "../base/revision.ts";

/** Makes the `ETag` of the response contain the revision of what it shows (`answerJson`). */
export function showRevision(c: Context, revision: string): void {
  c.set("revision", revision);
}

/**
 * Returns the revisions in `If-Match`, for which the change may be made; undefined for any (RFC 9110 §13.1.1).
 *
 * @throws Fault invalid_request
 */
export function expectedRevisions(c: Context): readonly string[] | undefined {
  const header = c.req.header("if-match")?.trim();
  if (header === undefined || header === "*") return undefined;
  const tags = header.split(",").map((tag) => /^(W\/)?"([^"]*)"$/.exec(tag.trim()));
  if (tags.some((tag) => tag === null))
    throw new Fault("invalid_request", {
      reason: 'If-Match: must be the ETag of the resource, such as "8f14e4…", or *',
    });
  // A weak tag never matches here. The part after the dot identifies the response, not the revision.
  return tags.flatMap((tag) => (tag && tag[1] === undefined ? [tag[2]!.split(".")[0]!] : []));
}

/**
 * Returns what `If-Match` is compared with: the definition of the server in the path, or the whole configuration.
 * Undefined for routes that change neither; they ignore the header.
 */
export function matchedRevision({
  method,
  path,
}: {
  method: string;
  path: string;
}): "server" | "configuration" | undefined {
  if (method === "GET") return undefined;
  if (SERVER.test(path)) return "server";
  return CONFIGURATION.test(path) ? "configuration" : undefined;
}

const SERVER = /^\/api\/v1\/(?:admin\/)?servers\/\{name\}/;
/** Routes that change several servers, add or import servers, or change other parts of the configuration. */
const CONFIGURATION =
  /^\/api\/v1\/(?:config(?!\/validate)|servers|registries|secrets\/migrate|security\/scanners)(?:\/|$)/;

/**
 * Rejects a request whose `If-Match` does not contain the current revision, before anything is done.
 *
 * @returns the revisions that the server must still have when it is changed
 * @throws Fault changed_meanwhile, invalid_request
 */
export function checkPrecondition(
  { config }: Pick<App, "config">,
  route: { method: string; path: string },
  c: Context,
): readonly string[] | undefined {
  const what = matchedRevision(route);
  const expected = what && expectedRevisions(c);
  if (!expected) return undefined;
  if (what === "configuration") {
    if (!expected.includes(config.revision())) throw new Fault("changed_meanwhile", { what: "the configuration" });
    return undefined;
  }
  const name = c.req.param("name") ?? "";
  const server = config.server(name);
  // If the server does not exist, the verb reports that.
  if (server && !expected.includes(revisionOf(server)))
    throw new Fault("changed_meanwhile", { what: `server "${name}"` });
  return expected;
}
