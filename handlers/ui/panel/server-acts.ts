import { call } from "./api.ts";
import { act, type Patch, patch, refresh } from "./live.ts";
import { confirm } from "./parts/dialog.tsx";
import type { Server } from "./parts/health.tsx";
import { plural } from "./parts/time.tsx";
import { toast } from "./parts/toast.tsx";

/** Shows one server in the list as it will be. */
function shown(name: string, change: Partial<Server>): Patch {
  return patch("GET /api/v1/servers", {}, (data) => ({
    ...data,
    servers: data.servers.map((s) => (s.name === name ? { ...s, ...change } : s)),
  }));
}

/** Switches a server on or off. */
export function setEnabled({ name }: Server, enabled: boolean): Promise<unknown> {
  const params = { params: { name } };
  const on = "POST /api/v1/servers/{name}/enable" as const;
  const off = "POST /api/v1/servers/{name}/disable" as const;
  return act(enabled ? on : off, params, {
    patches: [shown(name, { enabled, connected: false, connecting: enabled })],
    done: `${name} is switched ${enabled ? "on" : "off"}`,
    undo: () => call(enabled ? off : on, params),
  });
}

export function restart({ name }: Server): Promise<unknown> {
  return act(
    "POST /api/v1/servers/{name}/restart",
    { params: { name } },
    { patches: [shown(name, { connected: false, connecting: true })], done: `${name} is reconnecting` },
  );
}

export function refreshTools({ name }: Server): Promise<unknown> {
  return act(
    "POST /api/v1/servers/{name}/refresh",
    { params: { name } },
    { done: ({ tool_count }) => `${name} was asked again: ${plural(tool_count, "tool")}` },
  );
}

/** Keeps every tool of a server from being called, until a person lifts it. Undo approves nothing that came meanwhile. */
export function quarantine({ name }: Server): Promise<unknown> {
  return act(
    "POST /api/v1/servers/{name}/quarantine",
    { params: { name } },
    {
      patches: [shown(name, { quarantined: true })],
      done: `${name} is quarantined; its tools cannot be called`,
      undo: () => call("POST /api/v1/servers/{name}/unquarantine", { params: { name }, body: { pins: {} } }),
    },
  );
}

/**
 * Removes a server, after a question. Its definition, secrets included, comes back with Undo, by the configuration's
 * history. Approvals and blocks of its tools outlive the entry.
 *
 * @returns whether it is gone
 */
export async function remove({ name }: Server): Promise<boolean> {
  const yes = await confirm({
    title: `Remove ${name}?`,
    consequence:
      "The proxy closes its connection and deletes its definition from the configuration. Approvals and blocks of its tools are kept: they apply again if the same server returns under this name. You can undo the removal for some seconds.",
    verb: "Remove",
    danger: true,
  });
  if (!yes) return false;
  const before = await call("GET /api/v1/config/history", {}).catch(() => undefined);
  const version = before?.versions[0]?.version;
  const done = await act(
    "DELETE /api/v1/servers/{name}",
    { params: { name } },
    {
      patches: [
        patch("GET /api/v1/servers", {}, (data) => ({ ...data, servers: data.servers.filter((s) => s.name !== name) })),
      ],
      done: `${name} is removed`,
      ...(version !== undefined && { undo: () => bringBack(name, version) }),
    },
  );
  return done !== undefined;
}

/** Only while nothing else was changed meanwhile: the history brings back whole configurations. */
async function bringBack(name: string, version: number): Promise<void> {
  const { versions } = await call("GET /api/v1/config/history", {});
  if ((versions[1]?.version ?? version) !== version)
    throw new Error(`the configuration was changed since; bring ${name} back by hand from its history`);
  await call("POST /api/v1/config/history/{version}/restore", { params: { version: String(version) } });
  toast(`${name} is back`);
  refresh(/servers|status|tools/);
}

/** Begins a sign-in at a remote server; a new tab leads there. */
export async function login({ name }: Server): Promise<unknown> {
  // Browsers open tabs only at once after a click, so it is there before the address is known.
  const tab = window.open("about:blank", "_blank");
  const started = await act("POST /api/v1/servers/{name}/login", { params: { name } });
  if (!started) tab?.close();
  else if (tab) {
    tab.opener = null;
    tab.location.href = started.auth_url;
  } else
    toast(`the browser kept the sign-in page at ${new URL(started.auth_url).host} from opening; allow pop-ups here`, {
      tone: "bad",
    });
  return started;
}
