import type { Fault } from "../base/fault.ts";
import type { Client } from "./credentials.ts";
import { type FlowName, flowFault } from "./flow-fault.ts";
import type { Refusal } from "./refusal.ts";

/** An answer that nobody waits for. */
export function unknownFlow(name: FlowName): Fault {
  return flowFault(
    "code_flow_failed",
    name,
    "this answer belongs to no sign-in that is under way: it was used already, is older than 10 minutes, or a newer one was begun",
    name.server ? `begin again with: proxy upstream login ${name.server}` : "begin the sign-in again",
  );
}

/** What a person can do about a sign-in that a sign-in server did not finish. */
export function suggestionFor({ kind, error }: Refusal, server: string, client: Client): string {
  const again = `begin again with: proxy upstream login ${server}`;
  if (error === "access_denied") return `whoever signed in, or the provider's rules, said no; ${again}`;
  if (error === "invalid_scope") return `set oauth.scopes of server "${server}" to scopes the provider knows`;
  if (error === "invalid_target")
    return `the provider does not know the server by this name; set oauth.extra_params.resource of server "${server}"`;
  if (kind === "client")
    return client.registered
      ? `the provider has forgotten this program, which registers anew; ${again}`
      : `check oauth.client_id and oauth.client_secret of server "${server}", and the return address registered for them`;
  if (kind === "answer") return `the answer did not come from the sign-in server that was asked; ${again}`;
  return again;
}
