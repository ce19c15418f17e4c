import type { ContentfulStatusCode } from "hono/utils/http-status";
import { Fault } from "../base/fault.ts";

/**
 * What a person sees whose sign-in came to nothing: a page, since a browser asked by itself. Programs get the general
 * shape of a failure.
 *
 * @returns undefined for what is no Fault, which tells nothing
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

/** Escapes a provider's error text, which is untrusted. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
