import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Put a client's configuration back as it was before a connect, byte for byte",
    detail:
      "Without --backup it undoes the newest connect of this client. It works only while the file is unchanged since " +
      "that connect. The current file is backed up, and the token made for the client is revoked.",
    examples: ["proxy connect undo cursor", "proxy connect undo cursor --backup mcp.json.bak.20260506-070809"],
  },
  args: {
    client: { type: "positional", description: "client id, as `proxy connect list` shows it" },
    backup: {
      type: "string",
      alias: "b",
      valueHint: "file",
      description: "file name of the backup that the connect made (that of the newest connect)",
    },
    name: { type: "string", alias: "n", valueHint: "name", description: "what the entry is called (mcpproxy)" },
  },
  async run({ cli, args: { client, backup, name = "" } }) {
    const body = { server_name: name, ...(backup !== undefined && { backup_name: backup }) };
    const done = await cli.call("POST /api/v1/connect/{client}/undo", { params: { client }, body });
    await cli.show(done, (d) => `${d.message}; what it was is kept at ${d.backup_path}`);
  },
});
