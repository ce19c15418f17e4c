import { command } from "../../command.ts";

export default command({
  meta: {
    description: "List the known MCP clients, or show whether one is connected",
    detail: "The list opens no file of a client. Name one to have its configuration read.",
    examples: ["proxy connect list", "proxy connect list cursor"],
  },
  args: { client: { type: "positional", required: false, description: "client id, such as cursor" } },
  async run({ cli, args: { client } }) {
    if (client === undefined) {
      const clients = await cli.call("GET /api/v1/connect", {});
      return cli.show(clients, () => ({
        columns: ["client", "name", "installed", "configuration"],
        rows: [...clients]
          .sort((a, b) => Number(b.exists) - Number(a.exists))
          .map((c) => [c.id, c.name, c.exists ? "yes" : "", c.config_path]),
        empty: "no clients are known",
      }));
    }
    const status = await cli.call("GET /api/v1/connect/{client}", { params: { client } });
    await cli.show(status, (s) =>
      [
        `${s.name}: ${said(s)}`,
        `configuration: ${s.config_path}`,
        ...((s.remediation ?? s.reason) ? [(s.remediation ?? s.reason)!] : []),
        ...(s.note ? [`note: ${s.note}`] : []),
      ].join("\n"),
    );
  },
});

const STATES = {
  unknown: "not read",
  accessible: "not connected",
  absent: "not connected; it has no configuration yet",
  malformed: "its configuration cannot be worked with",
  denied: "its configuration may not be read",
};

function said(s: {
  connected: boolean;
  access_state: keyof typeof STATES;
  endpoint_match: string;
  server_name?: string | undefined;
  registered_url?: string | undefined;
}): string {
  if (!s.connected) return STATES[s.access_state];
  const where = s.endpoint_match === "this" ? "to this proxy" : `to ${s.registered_url ?? "somewhere else"}`;
  return `connected ${where} as "${s.server_name}"`;
}
