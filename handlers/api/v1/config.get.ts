import { endpoint } from "#lib/core/api/endpoint.ts";
import { showRevision } from "#lib/core/api/revision.ts";
import { ShownSettings } from "#lib/core/schema/shown-settings.ts";
import { showSettings } from "#lib/core/verbs/settings/show.ts";

/** The configuration, always masked (spec 000 §4.6, §5 rule 3). */
export default endpoint("GET /api/v1/config", {
  summary: "Show the configuration",
  access: "read",
  data: ShownSettings,
  run({ app, caller, c }) {
    const settings = showSettings(app, caller);
    showRevision(c, settings.revision);
    return { ...settings };
  },
});
