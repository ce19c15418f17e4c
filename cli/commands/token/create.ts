import { askYes, isTerminal } from "../../ask.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { tokensOptional } from "../../tokens-optional.ts";

export default command({
  meta: {
    description: "Create an agent token and show its secret once",
    detail:
      "Without flags, the token may call read-only tools of every server for 30 days. No permission implies another; read is always included. Tokens are optional on /mcp until require_mcp_auth is set: --require-auth sets it, and on a terminal the command offers this with the first token.",
    examples: [
      "proxy token create ci --servers git,jira --permissions read,write --expires 90d",
      "proxy token create assistant --profile work",
      "proxy token create assistant --require-auth",
    ],
  },
  args: {
    name: { type: "positional", description: "letters, digits, - and _" },
    servers: { type: "string", alias: "s", valueHint: "names", description: "only these servers, comma-separated" },
    permissions: { type: "string", alias: "p", valueHint: "words", description: "read, write, destructive (read)" },
    expires: {
      type: "string",
      alias: "e",
      valueHint: "time",
      description: "validity, such as 12h or 365d (30d)",
    },
    profile: { type: "string", names: "profiles", valueHint: "name", description: "limit the token to this profile" },
    "require-auth": {
      type: "boolean",
      description: "also set require_mcp_auth: reject MCP clients without a credential",
    },
  },
  async run({ cli, args }) {
    const { name, servers, permissions, expires, profile } = args;
    const requireAuth = args["require-auth"] === true || (await wantsAuthRequired(cli));
    const issued = await cli.call("POST /api/v1/tokens", {
      body: {
        name,
        ...(servers !== undefined && { allowed_servers: listed(servers) }),
        // The proxy validates the permissions and lists the valid ones.
        ...(permissions !== undefined && { permissions: listed(permissions) as ("read" | "write" | "destructive")[] }),
        ...(expires !== undefined && { expires_in: expires }),
        ...(profile !== undefined && { profile_pin: profile }),
        ...(requireAuth && { require_auth: true }),
      },
    });
    cli.note(`token ${name} is valid until ${issued.expires_at}; store it now, it is not shown again:`);
    await cli.show(issued, () => issued.token);
    if (issued.notice !== undefined) cli.note(tokensOptional(cli));
    else if (requireAuth) cli.note("MCP clients without a credential are now rejected");
  },
});

/** With the first token, the command suggests to require authentication on `/mcp`; it does not ask in a script. */
async function wantsAuthRequired(cli: Cli): Promise<boolean> {
  if (!isTerminal(cli)) return false;
  const { tokens, mcp_auth_required } = await cli.call("GET /api/v1/tokens", {});
  if (mcp_auth_required || tokens.length > 0) return false;
  cli.note("This is the first agent token. MCP clients without a token may still use every server.");
  return await askYes("Reject MCP clients without a credential from now on?", cli);
}

const listed = (text: string) => text.split(",").flatMap((word) => word.trim() || []);
