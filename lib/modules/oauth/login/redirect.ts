import type { App } from "../../../core/app.ts";
import { isLoopback, joinHost, parseHost } from "../../../core/base/host-port.ts";
import { flowFault } from "../flow-fault.ts";
import type { AskedBack } from "../oauth.ts";
import { type Listening, listenFor } from "./listener.ts";

/** Path at which the proxy's own listener accepts authorization responses. */
const CALLBACK_PATH = "/oauth/callback";

/** A redirect URI, with the listener that serves it during one sign-in. */
export interface ComeBack {
  uri: string;
  /** Absent if the proxy's own listener serves it. */
  listener?: Listening;
}

/**
 * Chooses the redirect URI of a sign-in: the configured one; the public URL in the multi-user edition, and for a browser
 * that reached the proxy there; for a client that registers itself, the address at which a browser on another machine
 * reached the proxy over https; otherwise the proxy's own listener on loopback. Its port remains the same, so that it can
 * be registered with a provider by hand. If that listener is not reachable on loopback, another one is opened during the
 * sign-in.
 *
 * @param base origin under which the browser reached the proxy, as a trusted reverse proxy reports it
 * @throws Fault code_flow_failed when another program uses the configured address
 */
export async function comeBack(app: App, asked: AskedBack, base?: string): Promise<ComeBack> {
  const { configured, before, name } = asked;
  const ownUri = ownAddress(app, base, asked.registersItself);
  if (configured === undefined) {
    if (ownUri !== undefined) return { uri: ownUri };
    const port = before !== undefined && isLoopbackUri(before) ? Number(new URL(before).port) : 0;
    const listener =
      (await listenFor(app, "127.0.0.1", port, CALLBACK_PATH).catch(() => undefined)) ??
      (await listenFor(app, "127.0.0.1", 0, CALLBACK_PATH));
    return { uri: `http://127.0.0.1:${listener.port}${CALLBACK_PATH}`, listener };
  }
  if (configured === ownUri || !isLoopbackUri(configured)) return { uri: configured };
  const url = new URL(configured);
  if (reachesOwn(app, url)) return { uri: configured };
  try {
    const host = parseHost(url.hostname)?.host ?? url.hostname;
    return { uri: configured, listener: await listenFor(app, host, Number(url.port || 80), url.pathname) };
  } catch (error) {
    throw flowFault(
      "code_flow_failed",
      name,
      `the proxy cannot listen at the redirect URI ${configured}: ${(error as Error).message}`,
      `stop the program that uses it, or set oauth.redirect_uri of server "${name.server}" to ${ownUri ?? "another address"}`,
    );
  }
}

/**
 * Returns the redirect URI at the proxy itself, below its public URL or on loopback; undefined if neither is reachable.
 *
 * @param mayDiffer whether the redirect URI may be another one than at the last sign-in
 */
function ownAddress(app: App, base: string | undefined, mayDiffer: boolean): string | undefined {
  const { server_edition, auth, tls } = app.config.current();
  const { enabled, public_url } = server_edition ?? {};
  if (enabled && public_url) return public_url.replace(/\/$/, "") + CALLBACK_PATH;
  // A browser on another machine does not reach this machine's loopback address.
  const published = auth.oauth.enabled ? auth.oauth.public_url : undefined;
  if (published && base !== undefined && new URL(base).host === new URL(published).host)
    return new URL(published).origin + CALLBACK_PATH;
  if (mayDiffer && base !== undefined && isPublic(new URL(base))) return base + CALLBACK_PATH;
  // Providers accept plain HTTP on loopback (RFC 8252 §7.3), and the browser then need not trust the proxy's
  // certificate.
  if (tls.enabled) return undefined;
  const { host, port } = parseHost(app.boot.listenAddr) ?? {};
  if (host === undefined || port === undefined) return undefined;
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}${CALLBACK_PATH}`;
  return isLoopback(host) ? `http://${joinHost(host, port)}${CALLBACK_PATH}` : undefined;
}

const isPublic = ({ protocol, hostname }: URL) =>
  protocol === "https:" && !isLoopback(parseHost(hostname)?.host ?? hostname);

function isLoopbackUri(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && isLoopback(parseHost(hostname)?.host ?? "");
}

/** Whether a URL leads to the proxy's own listener, which `localhost` and all loopback addresses do. */
function reachesOwn(app: App, url: URL): boolean {
  const { host = "", port } = parseHost(app.boot.listenAddr) ?? {};
  if (app.config.current().tls.enabled) return false;
  const isLocalHost = isLoopback(host) || host === "0.0.0.0" || host === "::";
  return isLocalHost && url.pathname === CALLBACK_PATH && Number(url.port || 80) === port;
}
