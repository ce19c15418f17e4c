import { command } from "../../command.ts";
import { STORES } from "../../secret-stores.ts";

export default command({
  meta: {
    description: "Move secrets of servers out of the configuration file",
    detail:
      "It shows what it would do; --apply does it. Secrets go into the keyring, or into an encrypted file where there is none. Variables, headers, arguments, addresses and sign-in settings are looked at. A reference takes the place of each secret, and kept versions of the configuration lose it too.",
    examples: ["proxy secrets migrate", "proxy secrets migrate --server github --apply"],
  },
  args: {
    server: { type: "string", alias: "s", valueHint: "name", description: "only of this server" },
    apply: { type: "boolean", description: "do it" },
  },
  async run({ cli, args: { server, apply = false } }) {
    const done = await cli.call(
      "POST /api/v1/secrets/migrate",
      { body: { ...(server !== undefined && { server }), apply } },
      // A keyring may ask its owner.
      { timeoutMs: 120_000 },
    );
    await cli.show(done, ({ analysis }) => ({
      columns: ["server", "field", "value", "becomes", apply ? "stored in" : "would go into"],
      rows: analysis.candidates.map((c) => [c.server, c.field, c.value, c.suggested, STORES[c.backend]]),
      empty: "no secrets stand in the configuration file",
    }));
    if (done.analysis.total_found === 0) return;
    cli.note(apply ? done.message : `${done.message}; move them with: ${cli.self} secrets migrate --apply`);
  },
});
