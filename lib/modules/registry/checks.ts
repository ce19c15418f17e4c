import type { App } from "../../core/app.ts";
import { shellWord } from "../../core/base/shell-word.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { cachedEntries } from "./cache.ts";
import { sources } from "./sources.ts";
import { newer } from "./version.ts";

/** The checks that this module adds to `proxy doctor`. */
export const registryChecks: readonly DoctorCheck[] = [{ name: "registries", area: "registries", run: newerVersions }];

/** Servers of which their registry has a newer version, according to cached responses. No request is made. */
async function newerVersions(app: App): Promise<DoctorFinding[]> {
  const all = new Map(sources(app).map((source) => [source.id, source]));
  const found = app.config.current().mcpServers.map(async (server): Promise<DoctorFinding[]> => {
    const { name, source_registry_id: id = "", source_registry_server: entry, source_registry_version: ours } = server;
    const source = all.get(id);
    if (!source || entry === undefined || ours === undefined) return [];
    const theirs = (await cachedEntries(app, source)).entries.get(entry)?.version;
    if (theirs === undefined || !newer(theirs, ours)) return [];
    const where = id === "official" ? "" : ` -r ${shellWord(id)}`;
    return [
      {
        code: "registry_update",
        severity: "info",
        title: `Server "${name}" was installed in version ${ours}; registry "${source.name}" has ${theirs}`,
        detail:
          "The proxy does not update servers automatically: a new version is a new program, whose tools need a new review.",
        server: name,
        remedy: { action: "Review the new version", command: `proxy registry show ${shellWord(entry)}${where}` },
      },
    ];
  });
  return (await Promise.all(found)).flat();
}
