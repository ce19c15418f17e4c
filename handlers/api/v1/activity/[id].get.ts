import * as v from "valibot";
import { detail } from "#lib/activity/list.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { ActivityDetail } from "#lib/shape/activity-entry.ts";

/** One record with arguments and response (spec 000 §4.6). */
export default endpoint("GET /api/v1/activity/{id}", {
  summary: "Read one activity record",
  access: "read",
  data: v.object({ activity: ActivityDetail }),
  faults: ["no_such_record"],
  run: ({ app, params, caller }) => ({ activity: detail(app, params.id, caller) }),
});
