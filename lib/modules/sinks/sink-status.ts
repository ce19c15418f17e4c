import * as v from "valibot";

const about = v.description;

/** The state of one sink. */
export const SinkStatusShape = v.object({
  name: v.string(),
  type: v.pipe(v.picklist(["file", "stdout", "syslog", "otlp", "webhook"]), about("kind of receiver")),
  records: v.array(v.picklist(["activity", "audit"])),
  state: v.pipe(
    v.picklist(["delivering", "failing", "standby", "disabled"]),
    about(
      "`failing`: the last delivery failed, and the proxy keeps trying; `standby`: another replica delivers the records",
    ),
  ),
  problem: v.optional(v.pipe(v.string(), about("why the last delivery failed"))),
  waiting: v.pipe(v.number(), about("records that are not delivered yet")),
  delivered: v.pipe(v.number(), about("records delivered since the start of the proxy")),
  lost: v.pipe(
    v.number(),
    about(
      "records that were removed from the proxy's storage before they could be delivered, or rejected while the file for those was full",
    ),
  ),
  last_lost_at: v.optional(v.pipe(v.string(), about("RFC 3339"))),
  rejected: v.pipe(v.number(), about("records that the receiver rejected")),
  last_rejected_at: v.optional(v.pipe(v.string(), about("RFC 3339"))),
  rejected_file: v.optional(v.pipe(v.string(), about("file with the rejected records"))),
  last_delivery_at: v.optional(v.pipe(v.string(), about("RFC 3339"))),
});

export type SinkStatus = v.InferOutput<typeof SinkStatusShape>;
