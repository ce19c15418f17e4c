import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ActivityDetailShape } from "#lib/core/schema/activity-entry.ts";
import { activityDetail } from "#lib/core/verbs/activity/list.ts";

/** One record with arguments and response (spec 000 §4.6). */
export default endpoint("GET /api/v1/activity/{id}", {
  summary: "Read one activity record",
  access: "read",
  data: v.object({ activity: ActivityDetailShape }),
  faults: ["no_such_record"],
  run: async ({ app, params, caller }) => ({ activity: await activityDetail(app, params.id, caller) }),
});
