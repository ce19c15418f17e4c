import { command } from "../../command.ts";

export default command({
  meta: { description: "List built-in and configured scanners" },
  args: {},
  async run({ cli }) {
    const { scanners } = await cli.call("GET /api/v1/security/scanners", {});
    await cli.show(scanners, () => ({
      columns: ["scanner", "kind", "status", "reads", "what it does"],
      rows: scanners.map((s) => [s.id, s.kind, s.status, s.inputs.join(" "), s.error_message ?? s.description]),
      empty: "no scanners",
    }));
  },
});
