import { command } from "../../command.ts";

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
    client: { type: "positional", description: "client id from `proxy connect list`" },
    name: { type: "string", alias: "n", valueHint: "name", description: "name of the entry (mcpproxy)" },
    force: { type: "boolean", alias: "f", description: "replace an existing entry of this name" },
  },
  async run({ cli, args: { client, name = "", force = false } }) {
    const params = { client };
    const preview = await cli.call("GET /api/v1/connect/{client}/preview", { params, query: { server_name: name } });
    if (preview.diff) cli.note(preview.diff);
    const { precondition_token } = preview;
    // An entry that already has the new content needs no permission.
    const same = preview.entry_exists && preview.diff === "";
    const body = { server_name: name, force: force || same, precondition_token };
    const done = await cli.call("POST /api/v1/connect/{client}", { params, body });
    await cli.show(done, (d) => {
      const backup = d.backup_path?.split(/[\\/]/).at(-1);
      const flags = `${name && ` --name ${name}`}${backup ? ` --backup ${backup}` : ""}`;
      const undo = d.action === "already_exists" ? "" : `\nundo with: ${cli.self} connect undo ${client}${flags}`;
      return d.message + undo;
    });
  },
});
