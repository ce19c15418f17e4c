import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";

export default command({
  meta: {
    description: "List known MCP clients and whether they are connected",
    detail:
      "On macOS, opening another program's file can show a privacy prompt, so the list does not read client configurations; name a client to read its configuration.",
    examples: ["proxy connect list", "proxy connect list cursor"],
  },
  args: { client: { type: "positional", required: false, names: "clients", description: "client id, such as cursor" } },
  async run({ cli, args: { client } }) {
    if (client === undefined) {
      const clients = await read(cli, await cli.call("GET /api/v1/connect", {}));
      return cli.show(clients, () => ({
        columns: ["client", "name", "installed", "connected", "configuration"],
        rows: [...clients]
          .sort((a, b) => Number(b.exists) - Number(a.exists))
          .map((c) => [c.id, c.name, c.exists ? "yes" : "", c.exists ? shortly(c) : "", c.config_path]),
        empty: "no known clients",
      }));
    }
    const status = await ask(cli, client);
    await cli.show(status, (s) =>
      [
        `${s.name}: ${statusText(s)}`,
        `configuration: ${s.config_path}`,
        ...((s.remediation ?? s.reason) ? [(s.remediation ?? s.reason)!] : []),
        ...(s.note ? [`note: ${s.note}`] : []),
      ].join("\n"),
    );
  },
});

type Status = Awaited<ReturnType<typeof ask>>;

const ask = (cli: Cli, client: string) => cli.call("GET /api/v1/connect/{client}", { params: { client } });

/**
 * Reads the configurations of installed clients. On macOS it does not, since reading can prompt for permission (spec
 * 000 §4.5 rule 8).
 */
async function read(cli: Cli, clients: Status[]): Promise<Status[]> {
  const { os } = await cli.call("GET /api/v1/servers/import/paths", {});
  if (os === "darwin") return clients;
  return Promise.all(clients.map((c) => (c.exists ? ask(cli, c.id) : c)));
}

/** The state in one word, for the column. */
function shortly({ connected, endpoint_match: leads, access_state: access }: Status): string {
  if (connected) return leads === "this" ? "yes" : "to another address";
  return access === "accessible" || access === "absent" ? "no" : SHORT[access];
}

const SHORT = { unknown: "not read", malformed: "unreadable", denied: "no access" };

const STATES = {
  unknown: "not read",
  accessible: "not connected",
  absent: "not connected; it has no configuration yet",
  malformed: "its configuration cannot be parsed",
  denied: "no permission to read its configuration",
};

function statusText(s: Status): string {
  if (!s.connected) return STATES[s.access_state];
  const where = s.endpoint_match === "this" ? "to this proxy" : `to ${s.registered_url ?? "another address"}`;
  return `connected ${where} as "${s.server_name}"`;
}
