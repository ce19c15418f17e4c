import { Fault, reasonOf } from "../../core/base/fault.ts";
import { discover } from "./discover.ts";
import { grantByClient } from "./grants.ts";
import type { Holder } from "./holder.ts";
import { grantOf, nameOf, type OAuthContext } from "./oauth-context.ts";
import type { Place } from "./records.ts";
import { refusalOf } from "./refusal.ts";
import { configuredClient } from "./register.ts";
import { settingsOf } from "./settings.ts";
import { withDeadline } from "./with-deadline.ts";

/** Timeout of all steps (ms). */
const TIMEOUT_MS = 45_000;

/**
 * Gets a token without a person, if the configuration of the server says so: the proxy signs in as itself.
 *
 * @returns false if a person has to sign in at this server
 * @throws Error that says why there is no token
 */
export async function obtainToken(around: OAuthContext, { owner, server }: Place, holder: Holder): Promise<boolean> {
  const entry = around.config.server(server);
  if (owner !== "" || entry?.oauth?.grant !== "client_credentials") return false;
  const { clock, egress, closing } = around;
  const { signal, cancel } = withDeadline(clock, TIMEOUT_MS, [closing]);
  const secretTexts: string[] = [];
  try {
    const name = nameOf(around, server, "");
    const settings = await settingsOf(around, entry, name);
    secretTexts.push(...settings.secret);
    const authority = await discover({ egress, clock, settings, name, challenge: holder.challenge(), signal });
    // The configuration ensures that there is a client id.
    const client = configuredClient(authority, settings, "")!;
    const scope = (settings.scopes ?? authority.scopes)?.filter((one) => one !== "offline_access").join(" ");
    const grant = grantOf(around, { authority, client, settings, signal });
    const tokens = await grantByClient(grant, scope || undefined);
    await holder.change(() => ({ authority, client, tokens, grant: "client_credentials" }));
    around.log.info(`the proxy signed in to server "${server}" as itself at ${authority.issuer}`, { server });
    return true;
  } catch (error) {
    const reason = error instanceof Fault ? reasonOf(error) : refusalOf(error, secretTexts).text;
    throw new Error(`the proxy could not sign in as itself (client credentials): ${reason}`, { cause: error });
  } finally {
    cancel();
  }
}
