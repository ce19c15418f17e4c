import type { App } from "../../core/app.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { containersWanted } from "./create.ts";
import { containerEngine, serverIsolation } from "./state.ts";

/** The checks that this module adds to `proxy doctor`. */
export const isolationChecks: readonly DoctorCheck[] = [
  { name: "isolation", area: "isolation", run: isolationFindings },
];

/** Checks that the isolation that the configuration requires is available. */
async function isolationFindings(app: App): Promise<DoctorFinding[]> {
  return [...(await engine(app)), ...(await sandbox(app))];
}

async function engine(app: App): Promise<DoctorFinding[]> {
  const { docker_isolation } = app.config.current();
  if (!containersWanted(app.config) && !(docker_isolation.enabled && docker_isolation.mode === "docker")) return [];
  const { available, error } = await app.part(containerEngine).state();
  if (available) return [];
  return [
    {
      code: "engine_missing",
      severity: "error",
      title: "Servers should run in containers, but no container engine is available",
      detail: `${error === undefined ? "" : `${error}. `}Start Docker or Podman, or disable isolation. ${FALLBACK[docker_isolation.fallback]}`,
      remedy: {
        action: "Disable isolation",
        command: "proxy config set docker_isolation.enabled false",
        route: "PATCH /api/v1/config/container-isolation",
        body: { enabled: false },
      },
    },
  ];
}

const FALLBACK = {
  refuse: "Until then, these servers do not start.",
  sandbox: "Until then, these servers run in the light sandbox.",
  run: "Until then, these servers run without isolation.",
} as const;

async function sandbox(app: App): Promise<DoctorFinding[]> {
  const { docker_isolation, mcpServers } = app.config.current();
  const fallback = docker_isolation.fallback === "sandbox" && containersWanted(app.config);
  if (!fallback && !mcpServers.some((server) => app.part(serverIsolation).plan(server).how === "sandbox")) return [];
  const unsandboxed = await app.part(serverIsolation).lacksSandbox();
  if (unsandboxed === undefined) return [];
  return [
    {
      code: "sandbox_missing",
      severity: "error",
      title: `Servers should run in a sandbox, but ${unsandboxed}`,
      detail: "Until then, these servers do not start.",
      remedy: {
        action: "Install it, or run the servers in containers",
        command: "proxy config set docker_isolation.mode docker",
        route: "PATCH /api/v1/config",
        body: { docker_isolation: { mode: "docker" } },
      },
    },
  ];
}
