import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { Actor } from "../../schema/caller.ts";
import type { IssuedAgentToken, NewAgentToken } from "../../schema/token-entry.ts";
import { writeSettings } from "../settings/write.ts";
import { createToken, prepareToken } from "./create.ts";
import { mcpAuthRequired } from "./mcp-auth-required.ts";

const NOTICE =
  "tokens are optional on /mcp: a client that sends no credential may use every server; to require one: proxy config set require_mcp_auth true";

/**
 * Issues an agent token for an administrator and, if requested, requires every MCP client to authenticate from now on.
 *
 * The order is: all checks, the write of the configuration, the write of the token. If the configuration cannot be
 * written, no token exists. After a crash in between, authentication is required but the token does not exist; the
 * opposite, a token whose holder relies on a requirement that does not exist, cannot happen.
 *
 * @throws Fault already_exists, token_limit, invalid_request, management_disabled, config_invalid, config_broken
 */
export async function createAgentToken(
  app: App,
  { require_auth, ...wanted }: NewAgentToken,
  by: Actor,
): Promise<IssuedAgentToken> {
  if (require_auth && !mcpAuthRequired(app)) {
    prepareToken(app, wanted, by);
    await requireMcpAuth(app, by);
  }
  const issued = await createToken(app, wanted, by);
  return mcpAuthRequired(app) ? issued : { ...issued, notice: NOTICE };
}

/** @throws Fault invalid_request, management_disabled, config_invalid, config_broken */
async function requireMcpAuth(app: App, by: Actor): Promise<void> {
  // The environment and the command line override the file, so a change of the file would have no effect.
  if (Object.hasOwn(app.config.overrides(), "require_mcp_auth"))
    throw new Fault("invalid_request", {
      reason:
        "require_auth: require_mcp_auth is set to false in the environment or on the command line of the proxy; change it there",
    });
  await writeSettings(app, "patch", { require_mcp_auth: true }, by);
}
