import type { Context } from "hono";
import { parseHost } from "../base/net.ts";
import type { Admission } from "./door.ts";
import { webUrl } from "./web-url.ts";

/** Scheme, host and port under which the client reached us, as a trusted proxy says, else by Host (spec 001 §5.3). */
export function baseUrl(c: Context, listenAddr: string): string {
  const { proto = "http", host } = (c.env as { admission: Admission }).admission;
  const asked = host ?? c.req.header("host") ?? new URL(c.req.url).host;
  return parseHost(asked) ? `${proto}://${asked}` : webUrl(listenAddr);
}
