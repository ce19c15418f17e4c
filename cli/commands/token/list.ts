import { command } from "../../command.ts";
import { tokensOptional } from "../../tokens-optional.ts";

export default command({
  meta: { description: "List agent tokens with their permissions and expiry" },
  async run({ cli }) {
    const { tokens, mcp_auth_required } = await cli.call("GET /api/v1/tokens", {});
    await cli.show(tokens, () => ({
      columns: [
        "name",
        "token",
        "state",
        "servers",
        "permissions",
        "profile",
        "expires",
        "last used",
        "owner",
        "client",
      ],
      whole: ["name"],
      rows: tokens.map((t) => [
        t.name,
        `${t.token_prefix}…`,
        t.revoked ? "revoked" : t.expired ? "expired" : "active",
        t.allowed_servers.join(","),
        t.permissions.join(","),
        t.profile_pin,
        t.expires_at,
        t.last_used_at ?? "never",
        t.owner,
        t.client && (t.client.host ?? `${t.client.name} (not proven)`),
      ]),
      empty: `no agent tokens; create one with: ${cli.self} token create <name>`,
    }));
    if (!mcp_auth_required && tokens.length > 0) cli.note(tokensOptional(cli));
  },
});
