import { useLive } from "../live.ts";
import { at, go } from "../route.ts";
import { useIsAdmin } from "../session.ts";
import { keyLabel } from "./key-label.ts";
import type { Command } from "./palette.tsx";

/** Minimum length, because shorter texts match nearly everything (characters). */
const MIN_TEXT = 2;
/** Matches a request ID: a longer word with a digit. */
const REQUEST_ID = /^(?=.*\d)[\w-]{6,256}$/;

/** Further search results: tools, settings, and activity of a tool or a request. Requested after the user has typed. */
export function useFound(text: string): readonly Command[] {
  const admin = useIsAdmin();
  const wanted = text.trim();
  const typed = wanted.length >= MIN_TEXT;
  const tools = useLive("GET /api/v1/tools", typed ? {} : undefined).data?.tools ?? [];
  const schema = useLive("GET /api/v1/config/schema", typed && admin ? {} : undefined).data?.schema;
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
    ...[...new Set(tools.filter(({ name }) => name === wanted).map(({ name }) => name))].map(
      (name): Command => ({
        title: `Activity of the tool ${name}`,
        kind: "Activity",
        icon: "activity",
        run: () => void go(`/activity?tool=${encodeURIComponent(name)}`),
      }),
    ),
    ...(REQUEST_ID.test(wanted)
      ? [
          {
            title: `Activity of the request ${wanted}`,
            kind: "Activity",
            icon: "activity",
            run: () => void go(`/activity?request=${encodeURIComponent(wanted)}`),
          } as const,
        ]
      : []),
  ];
}
