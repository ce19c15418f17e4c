import { randomUUID } from "node:crypto";
import type { App } from "../../../core/app.ts";
import { Fault } from "../../../core/base/fault.ts";
import { isLoopback } from "../../../core/base/host-port.ts";
import type { Actor } from "../../../core/schema/caller.ts";
import type { LoginStarted } from "../../../core/schema/login.ts";
import { findServer } from "../../../core/verbs/servers/find.ts";
import { mayOperate } from "../../../core/verbs/servers/may-manage.ts";
import { oauth } from "../state.ts";
import { type ComeBack, comeBack } from "./redirect.ts";

/**
 * Begins a sign-in at an upstream server and returns at once. The returning browser finishes it, or a person who pastes
 * the URL that the browser returned to (`finish`). It replaces an earlier sign-in at the same server.
 *
 * @param open whether to open this machine's browser, for a user who sits at the machine
 * @param base origin under which the user's browser reached the proxy
 * @throws Fault server_not_found, server_disabled, admin_required, metadata_discovery_failed, client_id_required,
 *   dcr_failed, code_flow_failed, oauth_not_supported
 */
export async function login(
  app: App,
  name: string,
  by: Actor,
  { open, base, signal }: { open: boolean; base?: string; signal: AbortSignal },
): Promise<LoginStarted> {
  mayOperate(by);
  if (!findServer(app, name, by.caller).enabled) throw new Fault("server_disabled", { server: name });
  const correlationId = randomUUID();
  let back: ComeBack | undefined;
  try {
    const started = await app.part(oauth).start(name, {
      async redirectUri(asked) {
        back = await comeBack(app, asked, base);
        return back.uri;
      },
      correlationId,
      by: by.caller.name,
      signal,
    });
    const { listener } = back ?? {};
    if (listener) app.log.catch("waiting for a sign-in", started.over.then(listener.release));
    const why = open ? await openFor(app, by, started.authUrl) : "not requested";
    return {
      success: true,
      server_name: name,
      correlation_id: correlationId,
      auth_url: started.authUrl,
      browser_opened: why === undefined,
      ...(why !== undefined && { browser_error: why }),
      message: messageFor(name, why === undefined),
    };
  } catch (error) {
    back?.listener?.release();
    throw error;
  }
}

/** @returns why the browser was not opened */
async function openFor(app: App, { origin }: Actor, url: string): Promise<string | undefined> {
  if (origin.clientIp !== undefined && !isLoopback(origin.clientIp)) return "the request came from another machine";
  return await app.part(oauth).openBrowser(url);
}

function messageFor(name: string, opened: boolean): string {
  return opened
    ? `the browser was opened; sign in to "${name}" there within 10 minutes`
    : `open auth_url in a browser and sign in to "${name}" within 10 minutes; if that browser is on another machine, pass the address that it ends at to: proxy upstream login ${name} --paste`;
}
