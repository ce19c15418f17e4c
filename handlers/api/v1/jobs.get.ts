import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { requestJobs } from "#lib/core/api/jobs.ts";
import { Job } from "#lib/core/schema/job.ts";

export default endpoint("GET /api/v1/jobs", {
  summary: "List jobs, newest first",
  access: "admin",
  data: v.object({ jobs: v.array(Job), total: v.number() }),
  run({ app }) {
    const jobs = app.part(requestJobs).list();
    return { jobs, total: jobs.length };
  },
});
