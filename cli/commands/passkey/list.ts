import { command } from "../../command.ts";

export default command({
  meta: {
    description: "List the passkeys and where each works",
    detail: "A passkey is registered in the control panel, under Configuration, Sign-in.",
  },
  async run({ cli }) {
    const { passkeys } = await cli.call("GET /api/v1/passkeys", {});
    await cli.show(passkeys, () => ({
      columns: ["id", "name", "host", "created", "last used"],
      whole: ["id"],
      rows: passkeys.map((one) => [one.id, one.name, one.host, one.created_at, one.last_used_at ?? "never"]),
      empty: "no passkeys; register one in the control panel, under Configuration, Sign-in",
    }));
  },
});
