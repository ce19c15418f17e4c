import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { expectedRevisions, showRevision } from "#lib/core/api/revision.ts";
import { SettingsChange } from "#lib/core/schema/settings-change.ts";
import { writeSettings } from "#lib/core/verbs/settings/write.ts";

/**
 * Enables or disables container isolation; its other settings are in `docker_isolation` of the configuration (spec 000
 * §4.6).
 */
export default endpoint("PATCH /api/v1/config/container-isolation", {
  summary: "Enable or disable container isolation",
  access: "admin",
  validates: true,
  body: v.object({ enabled: v.pipe(v.boolean(), v.description("isolate the servers that the proxy starts")) }),
  data: v.object({ ...SettingsChange.entries, isolation_enabled: v.boolean() }),
  faults: ["changed_meanwhile", "management_disabled", "config_broken"],
  async run({ app, body: { enabled }, by, c }) {
    const done = await writeSettings(app, "patch", { docker_isolation: { enabled } }, by, {
      expected: expectedRevisions(c),
    });
    showRevision(c, done.revision);
    return { ...done, isolation_enabled: app.config.current().docker_isolation.enabled };
  },
});
