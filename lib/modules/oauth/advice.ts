import type { Fault } from "../../core/base/fault.ts";
import type { Client } from "./credentials.ts";
import { type FlowName, flowFault } from "./flow-fault.ts";
import type { MetadataProblem } from "./metadata-check.ts";
import type { Place } from "./records.ts";
import type { Refusal } from "./refusal.ts";

/** How the owner of a sign-in begins it again: the operator by a command, a user in the control panel. */
const againAt = ({ owner, server }: Place) =>
  owner === ""
    ? `start again with: proxy upstream login ${server}`
    : "start again on the page Account of the control panel";

/** The fault for a response that belongs to no current sign-in. @param place where it should belong, if known */
export function unknownFlow(name: FlowName, place: Place | undefined): Fault {
  return flowFault(
    "code_flow_failed",
    name,
    "this response belongs to no sign-in in progress: it was already used, is older than 10 minutes, or a newer sign-in was started",
    place ? againAt(place) : "start the sign-in again",
  );
}

/** Advice about a sign-in that the authorization server rejected. */
export function suggestionFor({ kind, error }: Refusal, place: Place, client: Client): string {
  const { server } = place;
  const again = againAt(place);
  if (error === "access_denied") return `the user or the provider's rules denied the sign-in; ${again}`;
  if (error === "invalid_scope")
    return `set oauth.scopes of server "${server}" to scopes that the provider knows, ${settingCommand(server, "scopes")}`;
  if (error === "invalid_target")
    return `the provider does not know the server by this name; set oauth.extra_params.resource of server "${server}"`;
  if (kind === "client" && /^https:/.test(client.id))
    return `check that the metadata document at ${client.id} can be fetched by the provider and names the redirect URI ${client.redirect_uri}`;
  if (kind === "client")
    return client.registered
      ? `the provider no longer knows the proxy, which registers again; ${again}`
      : `check oauth.client_id and oauth.client_secret of server "${server}", and the redirect URI registered for them`;
  if (kind === "answer") return `the response is from another sign-in server; ${again}`;
  return again;
}

/** Advice if no metadata describes how to sign in. */
export function whereSuggestion({ server, details }: FlowName, problem: MetadataProblem | undefined): string {
  if (problem === "address_refused")
    return `if you trust that address, add it to outbound_allow, or as oauth.issuer of server "${server}"`;
  if (problem === "unreachable")
    return `check that this address is correct and reachable, then start again with: proxy upstream login ${server}`;
  if (!details.metadata.protected_resource.found)
    return `check that the url of server "${server}" is right and that it requires a sign-in; if its provider publishes no metadata, set oauth.issuer, or oauth.authorization_endpoint, oauth.token_endpoint and oauth.client_id, ${settingCommand(server, "issuer")}`;
  return `ask the provider of server "${server}", or set oauth.issuer to the address of its sign-in server, ${settingCommand(server, "issuer")}`;
}

/** The command that changes a sign-in setting of a server. */
export const settingCommand = (server: string, key: string) => `with: proxy upstream patch ${server} --oauth ${key}=…`;
