import assert from "node:assert/strict";
import type { App } from "#lib/core/app.ts";
import { type Answer, ask } from "./http.ts";

/** The headers that a browser adds to requests of the panel's own page. */
export const PAGE = { "sec-fetch-site": "same-origin", "x-proxy-panel": "1" };

/** Signs in and returns the cookie. */
export async function signedIn(app: App, body: { key?: string; code?: string }): Promise<string> {
  const { status, headers, body: answered } = await ask(app, "POST /ui/session", { as: PAGE, body });
  assert.equal(status, 200, JSON.stringify(answered));
  return headers.get("set-cookie")!.split(";", 1)[0]!;
}

/** Sends a request like a page in a browser with this cookie. */
export function browse(app: App, request: string, cookie: string, body?: unknown): Promise<Answer> {
  return ask(app, request, { as: { ...PAGE, cookie }, ...(body !== undefined && { body }) });
}
