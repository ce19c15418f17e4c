import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ActivityDetail } from "#lib/core/schema/activity-entry.ts";
import { detail } from "#lib/core/verbs/activity/list.ts";

/** One record with arguments and response (spec 000 §4.6). */
export default endpoint("GET /api/v1/activity/{id}", {
  summary: "Read one activity record",
  access: "read",
  data: v.object({ activity: ActivityDetail }),
  faults: ["no_such_record"],
  run: ({ app, params, caller }) => ({ activity: detail(app, params.id, caller) }),
});
