import { discover } from "./discover.ts";
import { noPersonalToken } from "./grant-by-identity.ts";
import { nameOf, type OAuthContext } from "./oauth-context.ts";
import { settingsOf } from "./settings.ts";
import { withDeadline } from "./with-deadline.ts";

/** Shorter than the time that a check of `proxy doctor` has (ms). */
const TIMEOUT_MS = 4000;

/** Why the proxy can get no token at a server. */
export interface AuthorityProblem {
  readonly reason: string;
  readonly remedy: string;
}

/** Reads the metadata of a server's authorization server. @returns undefined if it can be used */
export async function checkAuthority(around: OAuthContext, server: string): Promise<AuthorityProblem | undefined> {
  const { clock, closing, config, egress } = around;
  const entry = config.server(server);
  if (!entry) return undefined;
  const { signal, cancel } = withDeadline(clock, TIMEOUT_MS, [closing]);
  try {
    const name = nameOf(around, server, "");
    const settings = { ...(await settingsOf(around, entry, name)), grant: "id_jag" as const };
    await discover({ egress, clock, settings, name, challenge: undefined, signal });
    return undefined;
  } catch (error) {
    const { reason, remedy } = noPersonalToken(error);
    return { reason, remedy };
  } finally {
    cancel();
  }
}
