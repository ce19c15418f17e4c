import { command } from "../../command.ts";

export default command({
  meta: { description: "List registries" },
  async run({ cli }) {
    const found = await cli.call("GET /api/v1/registries", {});
    await cli.show(found, ({ registries }) => ({
      columns: ["id", "name", "kind", "known servers", "list"],
      whole: ["id"],
      rows: registries.map((r) => [
        r.id,
        r.name,
        r.provenance === "official" ? "built in" : "custom",
        r.count || "",
        r.servers_url,
      ]),
      empty: "no registries",
    }));
  },
});
