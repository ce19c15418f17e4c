import { command } from "../../command.ts";
import { STORES } from "../../secret-stores.ts";

export default command({
  meta: {
    description: "Move secrets of servers out of the configuration file",
    detail:
      "Shows a preview unless --apply is set. Checks environment variables, headers, arguments, addresses and OAuth settings. Moves each secret to the keyring, or to an encrypted file if there is no keyring, and replaces it with a reference. Removes it from the configuration history, too.",
    examples: ["proxy secrets migrate", "proxy secrets migrate --server github --apply"],
  },
  args: {
    server: {
      type: "string",
      alias: "s",
      names: "servers",
      valueHint: "name",
      description: "only secrets of this server",
    },
    apply: { type: "boolean", description: "move the secrets instead of showing a preview" },
  },
  async run({ cli, args: { server, apply = false } }) {
    const done = await cli.call(
      "POST /api/v1/secrets/migrate",
      { body: { ...(server !== undefined && { server }), apply } },
      // The keyring may prompt the user.
      { timeoutMs: 120_000 },
    );
    await cli.show(done, ({ analysis }) => ({
      columns: ["server", "field", "value", "becomes", apply ? "stored in" : "would go into"],
      rows: analysis.candidates.map((c) => [c.server, c.field, c.value, c.suggested, STORES[c.backend]]),
      empty: "no secrets in the configuration file",
    }));
    if (done.analysis.total_found === 0) return;
    cli.note(apply ? done.message : `${done.message}; move them with: ${cli.self} secrets migrate --apply`);
  },
});
