import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";

/** Liveness: the process answers. Says nothing about the index, so that it does not flap (spec 001 §4.3). */
export default endpoint("GET /healthz", {
  summary: "Liveness",
  access: "open",
  data: v.object({ status: v.literal("ok") }),
  run: ({ c }) => c.json({ status: "ok" }),
});
