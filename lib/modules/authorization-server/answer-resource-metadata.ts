import type { Context } from "hono";
import type { AuthenticationResult } from "../../core/api/authenticate/authenticate.ts";
import type { App } from "../../core/app.ts";
import { Fault } from "./faults.ts";
import { resourceMetadata } from "./metadata.ts";
import { requireOAuth } from "./settings.ts";

const PREFIX = "/.well-known/oauth-protected-resource";

/** Answers a request for the metadata of an MCP endpoint. @throws Fault client_sign_in_disabled, no_such_route */
export function answerResourceMetadata(app: App, c: Context): Response {
  requireOAuth(app);
  const { path, proto, host = c.req.header("host") } = (c.env as { admission: AuthenticationResult }).admission;
  const metadata = resourceMetadata(app, { proto, host }, path.slice(PREFIX.length));
  if (!metadata) throw new Fault("no_such_route", { path });
  return c.json(metadata);
}
