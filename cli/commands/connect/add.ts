import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Connect a client: write this proxy into its configuration",
    detail:
      "The file is copied first, and only the one entry changes: comments and layout stay. Where clients need a " +
      "credential, an agent token is made for this client. What is written is what was shown: when the file changes " +
      "in between, nothing is written.",
    examples: ["proxy connect add cursor", "proxy connect add codex --name tools --force"],
  },
  args: {
    client: { type: "positional", description: "client id, as `proxy connect list` shows it" },
    name: { type: "string", alias: "n", valueHint: "name", description: "what the entry is called (mcpproxy)" },
    force: { type: "boolean", alias: "f", description: "replace an entry of the same name" },
  },
  async run({ cli, args: { client, name = "", force = false } }) {
    const params = { client };
    const seen = await cli.call("GET /api/v1/connect/{client}/preview", { params, query: { server_name: name } });
    if (seen.diff) cli.note(seen.diff);
    const { precondition_token } = seen;
    // An entry that says what would be written needs no permission to be replaced.
    const same = seen.entry_exists && seen.diff === "";
    const body = { server_name: name, force: force || same, precondition_token };
    const done = await cli.call("POST /api/v1/connect/{client}", { params, body });
    await cli.show(done, (d) => {
      const backup = d.backup_path?.split(/[\\/]/).at(-1);
      const flags = `${name && ` --name ${name}`}${backup ? ` --backup ${backup}` : ""}`;
      const undo =
        d.action === "already_exists" ? "" : `\ntake it back with: ${cli.self} connect undo ${client}${flags}`;
      return d.message + undo;
    });
  },
});
