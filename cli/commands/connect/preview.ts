import { command } from "../../command.ts";

export default command({
  meta: { description: "Show what connecting a client would change" },
  args: {
    client: { type: "positional", names: "clients", description: "client id from `proxy connect list`" },
    name: { type: "string", alias: "n", valueHint: "name", description: "name of the entry (mcpproxy)" },
  },
  async run({ cli, args: { client, name } }) {
    const preview = await cli.call("GET /api/v1/connect/{client}/preview", {
      params: { client },
      query: { ...(name !== undefined && { server_name: name }) },
    });
    await cli.show(preview, (p) =>
      [
        p.config_path,
        ...(p.connect_refusal ? [`refused: ${p.connect_refusal}`] : [p.diff || "no changes"]),
        ...(p.entry_exists && !p.connect_refusal ? [`"${p.server_name}" already exists; --force replaces it`] : []),
        ...(p.note ? [`note: ${p.note}`] : []),
      ].join("\n"),
    );
  },
});
