import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { requestJobs } from "#lib/core/api/jobs.ts";
import { Job } from "#lib/core/schema/job.ts";

/** Responds when the job has ended. A job that had already ended is unchanged. */
export default endpoint("DELETE /api/v1/jobs/{id}", {
  summary: "Cancel a job",
  access: "admin",
  data: v.object({ job: Job }),
  faults: ["no_such_record"],
  run: async ({ app, params }) => ({ job: await app.part(requestJobs).cancel(params.id) }),
});
