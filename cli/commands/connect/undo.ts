import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Put a client's configuration back as it was before a connect, byte for byte",
    detail: "Only while the file is what the connect wrote. A copy of it is kept, and the token made for it ends.",
    examples: ["proxy connect undo cursor --backup mcp.json.bak.20260506-070809"],
  },
  args: {
    client: { type: "positional", description: "client id, as `proxy connect list` shows it" },
    backup: {
      type: "string",
      alias: "b",
      valueHint: "file",
      description: "file name of the backup; without it the file that the connect made is deleted",
    },
    name: { type: "string", alias: "n", valueHint: "name", description: "what the entry is called (mcpproxy)" },
  },
  async run({ cli, args: { client, backup = "", name = "" } }) {
    const body = { server_name: name, backup_name: backup };
    const done = await cli.call("POST /api/v1/connect/{client}/undo", { params: { client }, body });
    await cli.show(done, (d) => `${d.message}; what it was is kept at ${d.backup_path}`);
  },
});
