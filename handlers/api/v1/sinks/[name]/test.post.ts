import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { recordSinks } from "#lib/modules/sinks/state.ts";

/** Delivers one record of the type `sink_test`, and waits until the receiver has accepted it. */
export default endpoint("POST /api/v1/sinks/{name}/test", {
  summary: "Deliver a test record to a sink",
  access: "admin",
  data: v.object({ sink: v.string(), delivered: v.literal(true) }),
  faults: ["no_such_record", "sink_unreachable"],
  async run({ app, params: { name }, signal }) {
    await app.part(recordSinks).test(name, signal);
    return { sink: name, delivered: true as const };
  },
});
