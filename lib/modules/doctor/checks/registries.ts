import type { App } from "../../../core/app.ts";
import { known } from "../../registry/cache.ts";
import { sources } from "../../registry/sources.ts";
import { newer } from "../../registry/version.ts";
import { type Finding, typed } from "../finding.ts";

/** Servers of which the registry they came from has a newer version now, as far as it was asked. Nothing is fetched. */
export async function registries(app: App): Promise<Finding[]> {
  const all = new Map(sources(app).map((source) => [source.id, source]));
  const found = app.config.current().mcpServers.map(async (server): Promise<Finding[]> => {
    const { name, source_registry_id: id = "", source_registry_server: entry, source_registry_version: ours } = server;
    const source = all.get(id);
    if (!source || entry === undefined || ours === undefined) return [];
    const theirs = (await known(app, source)).entries.get(entry)?.version;
    if (theirs === undefined || !newer(theirs, ours)) return [];
    const where = id === "official" ? "" : ` -r ${typed(id)}`;
    return [
      {
        code: "registry_update",
        severity: "info",
        title: `Server "${name}" was installed in version ${ours}; registry "${source.name}" has ${theirs}`,
        detail: "Nothing is updated by itself: another version is another program, whose tools are reviewed anew.",
        server: name,
        remedy: { action: "Look at the new version", command: `proxy registry show ${typed(entry)}${where}` },
      },
    ];
  });
  return (await Promise.all(found)).flat();
}
