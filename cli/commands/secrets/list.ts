import { command } from "../../command.ts";
import { STORES } from "../../secret-stores.ts";

export default command({
  meta: { description: "List stored secrets and references in the configuration, never values" },
  async run({ cli }) {
    const found = await cli.call("GET /api/v1/secrets", {});
    await cli.show(found, ({ secrets, references }) => {
      const stored = new Set(secrets.map(({ reference }) => reference));
      const used = (by: (typeof secrets)[number]["used_by"]) =>
        by.map(({ server, field }) => (server === undefined ? field : `${server} ${field}`)).join(", ");
      return {
        columns: ["secret", "stored in", "set", "used by"],
        whole: ["secret"],
        rows: [
          ...secrets.map((s) => [s.name, STORES[s.backend], s.updated_at ?? "yes", used(s.used_by)]),
          ...references
            .filter(({ reference }) => !stored.has(reference))
            .map((r) => [
              r.name,
              r.type === "env" ? "environment" : r.is_set ? STORES.keyring : "",
              r.is_set ? "yes" : "missing",
              used(r.used_by),
            ]),
        ],
        empty: `no secrets; store one with: ${cli.self} secrets set <name>`,
      };
    });
  },
});
