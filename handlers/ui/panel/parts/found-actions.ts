import type { Data } from "../api.ts";
import { at, go } from "../route.ts";
import { quarantine, remove, restart, setEnabled } from "../server-actions.ts";
import { confirmHeld } from "../trust/confirm-start.tsx";
import { isReleasable, release } from "../trust/release.tsx";
import { scan, scanAll } from "../views/security/scan-actions.ts";
import { type Server, waitingOf } from "./health.tsx";
import type { IconName } from "./icon.tsx";
import type { Command } from "./palette.tsx";
import { plural } from "./time.tsx";

type Client = Data<"GET /api/v1/connect">[number];

/** What an administrator can do with servers and clients, as results of the search. */
export function foundActions(servers: readonly Server[], clients: readonly Client[]): Command[] {
  return [
    action("Set up: import the servers of your MCP clients", "play", () => go("/setup")),
    action("Add a server", "plus", () => go("/servers?add")),
    action("Add an agent token", "plus", () => go("/tokens?add")),
    action("Scan all servers", "shield", scanAll),
    ...servers.flatMap(serverActions),
    ...clients.map(({ id, name, connected }) =>
      action(connected ? `Connection of ${name}` : `Connect ${name}`, "connect", () => go(at("connect", id))),
    ),
  ];
}

function serverActions(server: Server): Command[] {
  const { name, enabled, held, quarantined } = server;
  const waiting = waitingOf(server);
  return [
    ...(enabled && !held ? [action(`Restart ${name}`, "refresh", () => restart(server))] : []),
    action(`${enabled ? "Disable" : "Enable"} ${name}`, enabled ? "off" : "play", () => setEnabled(server, !enabled)),
    ...(held ? [action(`Review and confirm ${name}`, "shield", () => confirmHeld(server))] : []),
    ...(isReleasable(server) ? [action(`Release ${name} from quarantine`, "shield", () => release(server))] : []),
    ...(quarantined ? [] : [action(`Quarantine ${name}`, "shield", () => quarantine(server))]),
    ...(waiting > 0
      ? [
          action(`Approve: review ${plural(waiting, "tool")} of ${name}`, "approvals", () =>
            go(`/approvals?server=${encodeURIComponent(name)}`),
          ),
        ]
      : []),
    action(`Scan ${name}`, "shield", () => scan(name)),
    action(`Log of ${name}`, "activity", () => go(at("servers", name, "log"))),
    action(`Settings of ${name}`, "settings", () => go(at("servers", name, "settings"))),
    action(`Remove ${name}`, "trash", () => remove(server)),
  ];
}

const action = (title: string, icon: IconName, run: () => unknown): Command => ({
  title,
  kind: "Action",
  icon,
  run: () => void run(),
});
