import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { rfc3339 } from "#lib/core/base/clock.ts";
import { containerEngine } from "#lib/modules/isolation/state.ts";

const about = v.description;

/** Whether a container engine is available and enabled (spec 000 §2.7). */
export default endpoint("GET /api/v1/container/status", {
  summary: "Report container isolation",
  access: "read",
  data: v.object({
    container_available: v.pipe(v.boolean(), about("the container engine responded")),
    isolation_enabled: v.pipe(
      v.boolean(),
      about("isolation is enabled in the configuration; it is active if both are true"),
    ),
    recovery_mode: v.pipe(v.boolean(), about("the engine became unavailable, and the proxy waits for it")),
    failure_count: v.pipe(v.number(), about("number of consecutive failed checks")),
    attempts_since_up: v.pipe(v.number(), about("number of checks since its last response")),
    last_attempt: v.pipe(v.string(), about("time of the last check")),
    last_error: v.pipe(v.string(), about("error; empty while the engine responds")),
    last_successful_at: v.optional(v.pipe(v.string(), about("time of the last response; absent if there was none"))),
    engine: v.optional(v.pipe(v.string(), about("name and version"))),
  }),
  async run({ app }) {
    const { available, askedAt, answeredAt, version, error = "" } = await app.part(containerEngine).state();
    const { active, failures, attempts } = app.part(containerEngine).recovery();
    return {
      container_available: available,
      isolation_enabled: app.config.current().docker_isolation.enabled,
      recovery_mode: active,
      failure_count: failures,
      attempts_since_up: attempts,
      last_attempt: rfc3339(askedAt),
      last_error: available ? "" : error,
      ...(answeredAt !== undefined && { last_successful_at: rfc3339(answeredAt) }),
      ...(version !== undefined && { engine: version }),
    };
  },
});
