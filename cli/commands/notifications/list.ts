import { command } from "../../command.ts";

export default command({
  meta: {
    description: "List the notification channels and their state",
    examples: ["proxy notifications list", "proxy notifications list -o json"],
  },
  async run({ cli }) {
    const found = await cli.call("GET /api/v1/notifications", {});
    await cli.show(found, ({ channels }) => ({
      columns: ["channel", "type", "state", "waiting", "sent", "lost", "problem"],
      whole: ["channel"],
      rows: channels.map((c) => [c.name, c.type, c.state, c.waiting, c.sent, c.lost, c.problem ?? ""]),
      empty: "no channels; the configuration key notifications.channels adds them (docs/notifications.md)",
    }));
  },
});
