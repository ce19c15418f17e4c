import { call } from "./api.ts";
import { act, type Patch, patch, refresh } from "./live.ts";
import { confirm } from "./parts/dialog.tsx";
import type { Server } from "./parts/health.tsx";
import { plural } from "./parts/time.tsx";
import { toast } from "./parts/toast.tsx";

/** A patch of one server in the cached list. */
function shown(name: string, change: Partial<Server>): Patch {
  return patch("GET /api/v1/servers", {}, (data) => ({
    ...data,
    servers: data.servers.map((s) => (s.name === name ? { ...s, ...change } : s)),
  }));
}

/** Enables or disables a server. */
export function setEnabled({ name }: Server, enabled: boolean): Promise<unknown> {
  const params = { params: { name } };
  const on = "POST /api/v1/servers/{name}/enable" as const;
  const off = "POST /api/v1/servers/{name}/disable" as const;
  return act(enabled ? on : off, params, {
    patches: [shown(name, { enabled, connected: false, connecting: enabled })],
    done: `${name} is ${enabled ? "enabled" : "disabled"}`,
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
    { done: ({ tool_count }) => `${name} listed ${plural(tool_count, "tool")}` },
  );
}

/** Quarantines a server. Undo approves nothing that was listed in the meantime. */
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
 * Removes a server after confirmation. Undo restores its definition, including secrets, from the history of the
 * configuration. Approvals and blocks of its tools are kept.
 *
 * @returns whether it was removed
 */
export async function remove({ name }: Server): Promise<boolean> {
  const yes = await confirm({
    title: `Remove ${name}?`,
    consequence:
      "The proxy closes its connection and deletes its definition from the configuration. The approvals and blocks of its tools are kept and apply again if the same server is added under this name. You can undo the removal for a few seconds.",
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

/** Only possible if nothing else changed in the meantime, because the history restores complete configurations. */
async function bringBack(name: string, version: number): Promise<void> {
  const { versions } = await call("GET /api/v1/config/history", {});
  if ((versions[1]?.version ?? version) !== version)
    throw new Error(`the configuration has changed since; restore ${name} from the configuration history`);
  await call("POST /api/v1/config/history/{version}/restore", { params: { version: String(version) } });
  toast(`${name} is restored`);
  refresh(/servers|status|tools/);
}

/** Begins a sign-in at a remote server in a new tab. */
export async function login({ name }: Pick<Server, "name">): Promise<unknown> {
  // Browsers only allow new tabs directly after a click, so the tab is opened before the URL is known.
  const tab = window.open("about:blank", "_blank");
  const started = await act("POST /api/v1/servers/{name}/login", { params: { name } });
  if (!started) tab?.close();
  else if (tab) {
    tab.opener = null;
    tab.location.href = started.auth_url;
  } else
    toast(`the browser blocked the sign-in page at ${new URL(started.auth_url).host}; allow pop-ups for this page`, {
      tone: "bad",
    });
  return started;
}
