import { RestError } from "#lib/client/error.ts";
import type { Cli } from "./cli.ts";
import { quoted } from "./self.ts";

/** Tells what a server in quarantine needs before its tools can be called: the values it lacks, then a review. */
export async function noteNextSteps(cli: Cli, server: string): Promise<void> {
  const lacks = await missingValues(cli, server);
  for (const { type, name } of lacks)
    if (type === "env") cli.note(`It needs ${name}: set it in the environment of the proxy and restart the proxy`);
    else cli.note(`It needs the secret ${name}: ${cli.self} secrets set ${quoted(name)}`);
  cli.note(
    `${lacks.length > 0 ? "Then review" : "Review"} its tools and release it: ${cli.self} review ${quoted(server)}`,
  );
}

/** Lists the secrets and variables of a server that have no value; empty if the user may not list secrets. */
async function missingValues(cli: Cli, server: string) {
  try {
    const { references } = await cli.call("GET /api/v1/secrets", {});
    return references.filter(({ is_set, used_by }) => !is_set && used_by.some((use) => use.server === server));
  } catch (error) {
    if (error instanceof RestError) return [];
    throw error;
  }
}
