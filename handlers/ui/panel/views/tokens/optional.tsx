import { act, fresh } from "../../live.ts";
import { Switch } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";

async function setRequired(require_mcp_auth: boolean): Promise<void> {
  await act(
    "PATCH /api/v1/config",
    { body: { require_mcp_auth } },
    {
      done: require_mcp_auth ? "Clients now need a token on /mcp" : "Tokens are optional on /mcp again",
      ...(require_mcp_auth && { undo: () => setRequired(false) }),
    },
  );
  await fresh("GET /api/v1/tokens", {});
}

/**
 * A note while clients without a credential are accepted: tokens then limit nobody. With the switch that changes it.
 */
export function TokensOptional() {
  return (
    <div class="notice warn">
      <Icon name="warn" />
      <p class="grow">
        Tokens are optional on <code>/mcp</code>: a client without a token may use every server. Require authentication
        to enforce the limits of tokens; clients without a token are then rejected.
      </p>
      <Switch
        label="Require authentication on /mcp"
        checked={false}
        onChange={(on) => void (on && setRequired(true))}
      />
    </div>
  );
}
