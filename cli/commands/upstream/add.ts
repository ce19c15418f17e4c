import { RestError } from "#lib/client/error.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { SERVER_FLAGS, serverFields } from "../../server-fields.ts";

export default command({
  about: "Add an upstream server, by address or by the command that starts it",
  detail: "A new server is quarantined: its tools can be listed, but not called, until a person has released it.",
  words: { name: { about: "what it is called here" }, url: { about: "address of a remote server", optional: true } },
  rest: "command args…",
  flags: {
    ...SERVER_FLAGS,
    quarantine: { type: "boolean", about: "start in quarantine; --no-quarantine: trust it at once" },
    "if-not-exists": { type: "boolean", about: "succeed without a change when there is one of this name" },
  },
  examples: [
    "proxy upstream add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes",
    "proxy upstream add docs https://docs.example.com/mcp --header 'Authorization: Bearer ${env:DOCS_TOKEN}'",
  ],
  async run({ cli, words, flags, rest }) {
    const { name, url } = words;
    if ((url === undefined) === (rest.length === 0))
      throw new UsageError(`give either the server's url or, after "--", the command that starts it`);
    const fields = serverFields(flags, rest);
    const body = {
      name,
      ...fields,
      ...(url && { url }),
      ...(flags.quarantine !== undefined && { quarantined: flags.quarantine }),
    };
    try {
      const added = await cli.call("POST /api/v1/servers", { body });
      await cli.show(added, () => `added ${name}${added.quarantined ? ", in quarantine" : ""}`);
      if (added.quarantined)
        cli.note(
          `Look at its tools: ${cli.self} tools list -s ${name}\nRelease it:        ${cli.self} upstream unquarantine ${name}`,
        );
    } catch (error) {
      if (!flags["if-not-exists"] || !(error instanceof RestError) || error.code !== "already_exists") throw error;
      cli.note(`${name} exists already; nothing was changed`);
    }
  },
});
