import type { App } from "../../app.ts";
import type { Finding } from "../finding.ts";

/** Whether the container engine is there that the configuration counts on. */
export async function isolation(app: App): Promise<Finding[]> {
  if (!app.config.current().docker_isolation.enabled) return [];
  const { available, error } = await app.engine.state();
  if (available) return [];
  return [
    {
      code: "engine_missing",
      severity: "error",
      title: "Servers are to run in containers, but there is no container engine",
      ...(error !== undefined && { detail: `${error}. Start Docker or Podman, or do without isolation.` }),
      remedy: {
        action: "Switch isolation off",
        command: "proxy config set docker_isolation.enabled false",
        route: "PATCH /api/v1/config/container-isolation",
        body: { enabled: false },
      },
    },
  ];
}
