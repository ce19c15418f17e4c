import type { ContentfulStatusCode } from "hono/utils/http-status";
import { Fault } from "../base/fault.ts";

/**
 * Returns a page for a person whose sign-in failed, if a browser sent the request. Programs get the general form of a
 * failure.
 *
 * @returns undefined for an error other than a Fault, which must not be shown
 */
export function signInPage(
  error: unknown,
  requestId: string,
): { status: ContentfulStatusCode; html: string } | undefined {
  if (!(error instanceof Fault)) return undefined;
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Not signed in</title>
<h1>Not signed in</h1>
<p>${escaped(error.message)}</p>
<p><a href="/api/v1/auth/login">Sign in again</a></p>
<p>Request ${escaped(requestId)}</p>
</html>
`;
  return { status: error.status as ContentfulStatusCode, html };
}

/** Escapes the error text of a sign-in server, which is not trusted. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
