import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Create an agent token and show its secret, this once",
    detail:
      "Without flags it reads from every server for 30 days. Each permission is granted by itself; read is always one.",
    examples: [
      "proxy token create ci --servers git,jira --permissions read,write --expires 90d",
      "proxy token create assistant --profile work",
    ],
  },
  args: {
    name: { type: "positional", description: "letters, digits, - and _" },
    servers: { type: "string", alias: "s", valueHint: "names", description: "only these servers, with commas between" },
    permissions: { type: "string", alias: "p", valueHint: "words", description: "read, write, destructive (read)" },
    expires: {
      type: "string",
      alias: "e",
      valueHint: "time",
      description: "how long it lasts, such as 12h or 365d (30d)",
    },
    profile: { type: "string", valueHint: "name", description: "only within this profile" },
  },
  async run({ cli, args }) {
    const { name, servers, permissions, expires, profile } = args;
    const issued = await cli.call("POST /api/v1/tokens", {
      body: {
        name,
        ...(servers !== undefined && { allowed_servers: listed(servers) }),
        // The proxy knows which words there are and says so.
        ...(permissions !== undefined && { permissions: listed(permissions) as ("read" | "write" | "destructive")[] }),
        ...(expires !== undefined && { expires_in: expires }),
        ...(profile !== undefined && { profile_pin: profile }),
      },
    });
    cli.note(`token ${name} lasts until ${issued.expires_at}; keep it now, it is not shown again:`);
    await cli.show(issued, () => issued.token);
  },
});

const listed = (text: string) => text.split(",").flatMap((word) => word.trim() || []);
