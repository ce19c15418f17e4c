import type { Flows } from "./flows.ts";
import type { Holders } from "./holders.ts";
import type { OAuthContext } from "./oauth-context.ts";

/** The context together with the sign-ins in memory: completed ones and those in progress. */
export interface Parts extends OAuthContext {
  readonly holders: Holders;
  readonly flows: Flows;
}
