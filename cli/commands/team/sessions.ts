import { command } from "../../command.ts";

export default command({
  meta: { description: "List browser sessions of users" },
  async run({ cli }) {
    const { sessions } = await cli.call("GET /api/v1/admin/sessions", {});
    await cli.show(sessions, () => ({
      columns: ["id", "e-mail", "since", "until", "address", "browser"],
      whole: ["id"],
      rows: sessions.map((s) => [s.id, s.email, s.created_at, s.expires_at, s.ip_address, s.user_agent]),
      empty: "no user is signed in",
    }));
  },
});
