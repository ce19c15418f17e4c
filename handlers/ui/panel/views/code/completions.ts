import { useMemo, useRef } from "preact/hooks";
import { call, type Data } from "../../api.ts";
import { useLive } from "../../live.ts";
import type { Tools } from "./code-editor.tsx";
import type { Known } from "./sandbox-completions.ts";

/** The names of servers, tools and parameters, for completion. */
export function useCompletions(): Known {
  const tools = useLive("GET /api/v1/tools", {});
  const latest = useRef<Tools>([]);
  latest.current = tools.data?.tools ?? [];
  return useMemo(() => {
    const callable = () =>
      latest.current.filter((t) => t.approval_status === "approved" && !t.disabled && !t.config_denied);
    const schemas = new Map<string, Promise<Data<"GET /api/v1/servers/{name}/tools">["tools"]>>();
    return {
      servers() {
        const counts = new Map<string, number>();
        for (const t of callable()) counts.set(t.server_name, (counts.get(t.server_name) ?? 0) + 1);
        return [...counts].map(([name, n]) => ({ name, about: n === 1 ? "1 tool" : `${n} tools` }));
      },
      tools: (server) =>
        callable()
          .filter((t) => t.server_name === server)
          .map((t) => ({ name: t.name, about: t.description })),
      async parameters(server, tool) {
        if (!latest.current.some((t) => t.server_name === server)) return [];
        const asked =
          schemas.get(server) ??
          call("GET /api/v1/servers/{name}/tools", { params: { name: server } }).then((d) => d.tools);
        schemas.set(server, asked);
        const found = await asked.catch(() => {
          schemas.delete(server);
          return [];
        });
        const { properties = {}, required = [] } = (found.find((t) => t.name === tool)?.schema ?? {}) as {
          properties?: Record<string, { type?: unknown; description?: unknown }>;
          required?: string[];
        };
        return Object.entries(properties).map(([name, { type, description }]) => ({
          name,
          about: [type, required.includes(name) && "required", description].filter(Boolean).join(", "),
          required: required.includes(name),
        }));
      },
    };
  }, []);
}
