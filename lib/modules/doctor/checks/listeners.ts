import type { App } from "../../../core/app.ts";
import { isLoopbackListener } from "../../../core/base/host-port.ts";
import type { DoctorFinding } from "../../../core/schema/doctor-shapes.ts";
import { setKeyRemedy } from "../../../core/verbs/settings/set-key-remedy.ts";
import { tokenDefect } from "../../../core/verbs/tokens/verify.ts";

/** Checks which machines can reach the proxy, and which forwarded headers it trusts. */
export function listeners(app: App): DoctorFinding[] {
  const { listenAddr, socketPath } = app.boot;
  const { require_mcp_auth, trusted_hosts, trusted_proxies, reveal_secret_headers, enable_socket } =
    app.config.current();
  const loopback = isLoopbackListener(listenAddr);
  const found: DoctorFinding[] = [];
  if (!loopback && !require_mcp_auth)
    found.push({
      code: "open_listener",
      severity: "error",
      title: `Every client that reaches ${listenAddr} can use every server`,
      detail: "Other machines can reach the listener, and MCP clients need no credential.",
      remedy: setKeyRemedy(app, "require_mcp_auth", true, "Require a credential of MCP clients"),
    });
  const live = app.store.tokens.all().filter(({ name }) => tokenDefect(app, name) === undefined).length;
  if (!require_mcp_auth && live > 0)
    found.push({
      code: "tokens_optional",
      severity: "warning",
      title: "Agent tokens have no effect: the proxy accepts MCP clients without a token",
      detail: `There ${live === 1 ? "is 1 valid agent token" : `are ${live} valid agent tokens`}, but a client that sends no token can use every server.`,
      remedy: setKeyRemedy(app, "require_mcp_auth", true, "Require a credential of MCP clients"),
    });
  if (loopback && trusted_hosts.includes("*"))
    found.push({
      code: "hosts_unchecked",
      severity: "warning",
      title: 'trusted_hosts "*" disables the protection against requests from other web pages',
      detail: "List the host names that clients use instead.",
      remedy: setKeyRemedy(
        app,
        "trusted_hosts",
        without(trusted_hosts, (host) => host === "*"),
        "Remove the entry",
      ),
    });
  const everybody = trusted_proxies.filter((entry) => entry.endsWith("/0"));
  if (everybody.length > 0)
    found.push({
      code: "proxies_unchecked",
      severity: "warning",
      title: `trusted_proxies ${everybody.join(", ")} trusts the forwarded headers of every client`,
      remedy: setKeyRemedy(
        app,
        "trusted_proxies",
        without(trusted_proxies, (p) => p.endsWith("/0")),
        "Remove the entry",
      ),
    });
  if (reveal_secret_headers)
    found.push({
      code: "secrets_revealed",
      severity: "warning",
      title: "Administrators can see secrets unmasked",
      detail: "reveal_secret_headers is on; it is meant for temporary use.",
      remedy: setKeyRemedy(app, "reveal_secret_headers", false, "Mask secrets again"),
    });
  if (!enable_socket)
    found.push({
      code: "socket_off",
      severity: "info",
      title: "The local socket is disabled",
      detail: "The command line then needs the proxy's address and the API key.",
      remedy: setKeyRemedy(app, "enable_socket", true, "Enable it from the next start on"),
    });
  else if (listenAddr !== "" && socketPath === "")
    found.push({
      code: "socket_missing",
      severity: "warning",
      title: "The local socket could not be created",
      detail: "The path of the data directory may be too long; see the log for the cause.",
      remedy: { action: "Start the proxy with a shorter --data-dir" },
    });
  return found;
}

const without = (list: readonly string[], goes: (entry: string) => boolean) => list.filter((entry) => !goes(entry));
