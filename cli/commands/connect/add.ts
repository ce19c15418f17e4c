import { command } from "../../command.ts";
import { connectClient } from "../../connect-client.ts";

export default command({
  meta: {
    description: "Connect a client: add this proxy to its configuration",
    detail:
      "The command backs up the file and changes only this entry; comments and layout stay. If clients need a " +
      "credential, it creates an agent token for this client. If the file changes between the preview and the write, " +
      "nothing is written.",
    examples: ["proxy connect add cursor", "proxy connect add codex --name tools --force"],
  },
  args: {
    client: { type: "positional", names: "clients", description: "client id from `proxy connect list`" },
    name: { type: "string", alias: "n", valueHint: "name", description: "name of the entry (mcpproxy)" },
    force: { type: "boolean", alias: "f", description: "replace an existing entry of this name" },
  },
  async run({ cli, args: { client, name = "", force = false } }) {
    const done = await connectClient(cli, client, { name, force });
    await cli.show(done, (d) => {
      const backup = d.backup_path?.split(/[\\/]/).at(-1);
      const flags = `${name && ` --name ${name}`}${backup ? ` --backup ${backup}` : ""}`;
      const undo = d.action === "already_exists" ? "" : `\nundo with: ${cli.self} connect undo ${client}${flags}`;
      return d.message + undo;
    });
  },
});
