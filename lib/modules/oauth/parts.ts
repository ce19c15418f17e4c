import type { Flows } from "./flows.ts";
import type { Holders } from "./holders.ts";
import type { OAuthContext } from "./oauth-context.ts";

/** The same, and what is kept in memory of the sign-ins there are and of those under way. */
export interface Parts extends OAuthContext {
  readonly holders: Holders;
  readonly flows: Flows;
}
