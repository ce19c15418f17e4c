import type { App } from "../../../core/app.ts";
import { isLoopbackListener } from "../../../core/base/host-port.ts";
import type { DoctorFinding } from "../../../core/schema/doctor-shapes.ts";
import { setKeyRemedy } from "../../../core/verbs/settings/set-key-remedy.ts";
import { tokenDefect } from "../../../core/verbs/tokens/verify.ts";

/** Who can reach the proxy, and who is believed. */
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
      title: `Everybody who reaches ${listenAddr} may use every server`,
      detail: "The listener is not on this machine alone, and MCP clients need no credential.",
      remedy: setKeyRemedy(app, "require_mcp_auth", true, "Require a credential of MCP clients"),
    });
  const live = app.store.tokens.all().filter(({ name }) => tokenDefect(app, name) === undefined).length;
  if (!require_mcp_auth && live > 0)
    found.push({
      code: "tokens_optional",
      severity: "warning",
      title: "Agent tokens limit nobody: MCP clients without a token are admitted",
      detail: `There ${live === 1 ? "is 1 valid agent token" : `are ${live} valid agent tokens`}, but a client that leaves its token out may use every server.`,
      remedy: setKeyRemedy(app, "require_mcp_auth", true, "Require a credential of MCP clients"),
    });
  if (loopback && trusted_hosts.includes("*"))
    found.push({
      code: "hosts_unchecked",
      severity: "warning",
      title: 'trusted_hosts "*" switches the protection against foreign web pages off',
      detail: "Name the hosts that are meant instead.",
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
      title: `trusted_proxies ${everybody.join(", ")} believes the forwarded headers of everybody`,
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
      title: "Administrators are shown secrets in clear",
      detail: "reveal_secret_headers is on; it is meant for a look, not for good.",
      remedy: setKeyRemedy(app, "reveal_secret_headers", false, "Mask them again"),
    });
  if (!enable_socket)
    found.push({
      code: "socket_off",
      severity: "info",
      title: "There is no local socket",
      detail: "The command line needs the address and the API key instead.",
      remedy: setKeyRemedy(app, "enable_socket", true, "Serve one from the next start on"),
    });
  else if (listenAddr !== "" && socketPath === "")
    found.push({
      code: "socket_missing",
      severity: "warning",
      title: "The local socket could not be made",
      detail: "The path of the data directory may be too long for one; the log says why.",
      remedy: { action: "Start the proxy with a shorter --data-dir" },
    });
  return found;
}

const without = (list: readonly string[], goes: (entry: string) => boolean) => list.filter((entry) => !goes(entry));
