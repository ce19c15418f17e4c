import { isIP } from "node:net";
import type { App } from "../../core/app.ts";
import { isLoopback } from "../../core/base/host-port.ts";
import { Fault } from "./faults.ts";

/** The web site of the control panel as a browser sees it. A passkey works at one host name only. */
export interface Site {
  /** The host name (WebAuthn: relying party ID). */
  readonly rpId: string;
  readonly origin: string;
}

/**
 * Returns the site under which a browser reached the control panel.
 *
 * @param base scheme, host and port of the request; the scheme may be that of a reverse proxy that the configuration
 *   does not trust, so the published address takes precedence
 * @throws Fault passkey_unavailable
 */
export function siteOf({ config }: Pick<App, "config">, base: string): Site {
  const { auth, server_edition } = config.current();
  if (server_edition?.enabled)
    throw unavailable("in the multi-user edition, people sign in with the identity provider");
  const url = new URL(base);
  const published = auth.oauth.public_url === undefined ? undefined : new URL(auth.oauth.public_url);
  const { protocol, hostname, port, origin } = published?.host === url.host ? published : url;
  if (isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0)
    throw unavailable(
      isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"))
        ? `browsers bind passkeys to a name, not to an address; open http://localhost:${port || 80}/ui/`
        : "browsers bind passkeys to a name, not to an address; open the control panel by a host name",
    );
  if (protocol !== "https:" && hostname !== "localhost" && !hostname.endsWith(".localhost"))
    throw unavailable("browsers need https for passkeys");
  return { rpId: hostname, origin };
}

const unavailable = (reason: string) => new Fault("passkey_unavailable", { reason });
