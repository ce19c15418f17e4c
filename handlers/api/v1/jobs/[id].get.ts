import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { requestJobs } from "#lib/core/api/jobs.ts";
import { Job } from "#lib/core/schema/job.ts";

export default endpoint("GET /api/v1/jobs/{id}", {
  summary: "Show the progress or the result of a job",
  access: "admin",
  data: v.object({ job: Job }),
  faults: ["no_such_record"],
  run: ({ app, params }) => ({ job: app.part(requestJobs).get(params.id) }),
});
