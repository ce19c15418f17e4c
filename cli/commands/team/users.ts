import { command } from "../../command.ts";

export default command({
  meta: { description: "List all users who have signed in, with role, groups and servers" },
  async run({ cli }) {
    const { users } = await cli.call("GET /api/v1/admin/users", {});
    await cli.show(users, () => ({
      columns: ["e-mail", "role", "state", "groups", "servers", "browsers", "tokens", "last sign-in", "id"],
      whole: ["id"],
      rows: users.map((u) => [
        u.email,
        u.role,
        u.disabled ? "disabled" : "active",
        u.groups.join(","),
        u.servers.join(","),
        u.active_sessions,
        u.tokens,
        u.last_login_at,
        u.id,
      ]),
      empty: "no user has signed in yet",
    }));
  },
});
