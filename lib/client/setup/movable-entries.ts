import type { ClientSurvey } from "../../core/schema/client-survey.ts";

/**
 * The names, in a client's file, of the entries whose servers the proxy has.
 *
 * @param available names of servers that the proxy has and that work; entries of others stay in the client
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
