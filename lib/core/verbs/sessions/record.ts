import { actorName, type Caller } from "../../schema/caller.ts";
import type { SessionRecord } from "../../schema/session.ts";

/** The client and the caller that open a session, and the mode of the endpoint. */
export interface SessionOrigin {
  readonly mode: string;
  readonly caller: Caller;
  readonly client: { readonly name: string; readonly version: string };
  readonly clientIp?: string | undefined;
}

/** Returns the record of a session that begins at `now`. */
export function sessionRecord(
  id: string,
  now: number,
  { mode, caller, client, clientIp }: SessionOrigin,
): SessionRecord {
  return {
    id,
    status: "active",
    client_name: client.name,
    client_version: client.version,
    mode,
    actor: actorName(caller),
    ...(clientIp !== undefined && { client_ip: clientIp }),
    started_at: now,
    last_active_at: now,
    tool_calls: 0,
  };
}
