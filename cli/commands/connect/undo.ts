import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Restore a client's configuration byte for byte as it was before a connect",
    detail:
      "Without --backup, undoes the latest connect of this client. Works only if the file has not changed since " +
      "that connect. Backs up the current file and revokes the client's token.",
    examples: ["proxy connect undo cursor", "proxy connect undo cursor --backup mcp.json.bak.20260506-070809"],
  },
  args: {
    client: { type: "positional", names: "clients", description: "client id from `proxy connect list`" },
    backup: {
      type: "string",
      alias: "b",
      valueHint: "file",
      description: "file name of the backup to restore (that of the latest connect)",
    },
    name: { type: "string", alias: "n", valueHint: "name", description: "name of the entry (mcpproxy)" },
  },
  async run({ cli, args: { client, backup, name = "" } }) {
    const body = { server_name: name, ...(backup !== undefined && { backup_name: backup }) };
    const done = await cli.call("POST /api/v1/connect/{client}/undo", { params: { client }, body });
    await cli.show(done, (d) => `${d.message}; the previous file is kept at ${d.backup_path}`);
  },
});
