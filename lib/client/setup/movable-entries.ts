import type { ClientSurvey } from "../../core/schema/client-survey.ts";
import type { ServerRecord } from "../../core/schema/server-record.ts";

/**
 * Whether the proxy can stand in for a client's own entry of a server. While the server waits for a review, the client
 * would get none of its tools from the proxy. One that is disabled is disabled in the client, too.
 */
export const canReplaceEntries = ({
  enabled,
  quarantined,
  tool_count,
}: Pick<ServerRecord, "enabled" | "quarantined" | "tool_count">): boolean =>
  !enabled || (!quarantined && tool_count > 0);

/**
 * The names, in a client's file, of the entries whose servers the proxy has.
 *
 * @param available names of servers for which the proxy can stand in; entries of others stay in the client
 */
export function movableEntries(
  { servers }: Pick<ClientSurvey, "servers">,
  client: string,
  available: ReadonlySet<string>,
): string[] {
  return servers
    .filter(({ name }) => available.has(name))
    .flatMap(({ entries }) => entries.filter((entry) => entry.client === client).map(({ name }) => name));
}
