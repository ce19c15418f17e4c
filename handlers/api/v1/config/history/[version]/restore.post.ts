import * as v from "valibot";
import { CONFIG_CHANGE_FAULTS } from "#lib/core/api/config-change.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { expectedRevisions, showRevision } from "#lib/core/api/revision.ts";
import { SettingsChange } from "#lib/core/schema/settings-change.ts";
import { restoreConfigVersion } from "#lib/core/verbs/settings/config-versions.ts";

/** Restores an earlier version of the configuration; the replaced one remains in the history. */
export default endpoint("POST /api/v1/config/history/{version}/restore", {
  summary: "Restore an earlier configuration",
  access: "admin",
  validates: true,
  body: v.optional(
    v.object({
      force: v.optional(v.pipe(v.boolean(), v.description("replace a file that was edited by hand and is invalid"))),
    }),
    {},
  ),
  data: v.object({
    ...SettingsChange.entries,
    replaced: v.optional(v.pipe(v.string(), v.description("path of the copy of the invalid file"))),
  }),
  faults: ["no_such_record", ...CONFIG_CHANGE_FAULTS],
  async run({ app, params, by, body, c }) {
    const done = await restoreConfigVersion(app, params.version, by, {
      expected: expectedRevisions(c),
      force: body.force,
    });
    showRevision(c, done.revision);
    return done;
  },
});
