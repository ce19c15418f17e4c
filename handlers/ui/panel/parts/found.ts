import { useEffect, useState } from "preact/hooks";
import { useLive } from "../live.ts";
import { at, go } from "../route.ts";
import { useIsAdmin } from "../session.ts";
import type { foundActions } from "./found-actions.ts";
import { keyLabel } from "./key-label.ts";
import type { Command } from "./palette.tsx";

/** Minimum length, because shorter texts match nearly everything (characters). */
const MIN_TEXT = 2;
/** Matches a request ID: a longer word with a digit. */
const REQUEST_ID = /^(?=.*\d)[\w-]{6,256}$/;
/** Number of the latest sessions that are searched. */
const SESSIONS = { query: { limit: "50" } } as const;

/**
 * Further search results, requested after the user has typed: tools, settings, activity, connected clients, and actions
 * on servers and clients.
 */
export function useFound(text: string): readonly Command[] {
  const admin = useIsAdmin();
  const wanted = text.trim();
  const typed = wanted.length >= MIN_TEXT;
  const tools = useLive("GET /api/v1/tools", typed ? {} : undefined).data?.tools ?? [];
  const schema = useLive("GET /api/v1/config/schema", typed && admin ? {} : undefined).data?.schema;
  const sessions = useLive("GET /api/v1/sessions", typed ? SESSIONS : undefined).data?.sessions ?? [];
  const servers = useLive("GET /api/v1/servers", {}).data?.servers ?? [];
  const clients = useLive("GET /api/v1/connect", typed && admin ? {} : undefined).data ?? [];
  const actionsOf = useActions(typed && admin);
  if (!typed) return [];
  const properties = (schema?.properties ?? {}) as Readonly<Record<string, { description?: string }>>;
  return [
    ...tools.map(
      ({ server_name: server, name, description }): Command => ({
        title: `${server}:${name}`,
        kind: "Tool",
        icon: "tools",
        words: description,
        run: () => void go(at("tools", server, name)),
      }),
    ),
    ...Object.entries(properties).map(
      ([key, { description = "" }]): Command => ({
        title: keyLabel(key),
        kind: "Setting",
        icon: "settings",
        words: `${key} ${description}`,
        run: () => void go(`/configuration?find=${encodeURIComponent(key)}`),
      }),
    ),
    ...(actionsOf?.(servers, clients) ?? []),
    ...sessions.map(
      ({ id, client_name, client_version, status }): Command => ({
        title: [client_name || "Unnamed client", client_version].filter(Boolean).join(" "),
        kind: status === "active" ? "Client" : "Past client",
        icon: "sessions",
        words: `session ${id}`,
        run: () => void go(at("sessions", id)),
      }),
    ),
    activity("Failed calls", "status=error"),
    activity("Blocked calls", "status=blocked"),
    activity("Records with sensitive data", "sensitive=any"),
    ...servers.map(({ name }) => activity(`Activity of the server ${name}`, `server=${encodeURIComponent(name)}`)),
    ...[...new Set(tools.map(({ name }) => name))].map((name) =>
      activity(`Activity of the tool ${name}`, `tool=${encodeURIComponent(name)}`),
    ),
    ...(REQUEST_ID.test(wanted)
      ? [activity(`Activity of the request ${wanted}`, `request=${encodeURIComponent(wanted)}`)]
      : []),
  ];
}

/** The actions are loaded when they are first needed, because their dialogs are large. */
function useActions(isNeeded: boolean): typeof foundActions | undefined {
  const [load, setLoad] = useState<{ run: typeof foundActions }>();
  useEffect(() => {
    // Without them, the other results are still shown.
    if (isNeeded && !load)
      import("./found-actions.ts").then(
        (module) => setLoad({ run: module.foundActions }),
        () => {},
      );
  }, [isNeeded]);
  return load?.run;
}

function activity(title: string, query: string): Command {
  return { title, kind: "Activity", icon: "activity", run: () => void go(`/activity?${query}`) };
}
