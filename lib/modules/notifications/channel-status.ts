import * as v from "valibot";

const about = v.description;

/** The state of one channel. */
export const ChannelStatusShape = v.object({
  name: v.string(),
  type: v.pipe(v.picklist(["webhook", "slack", "teams", "email", "desktop"]), about("kind of channel")),
  state: v.pipe(
    v.picklist(["ready", "quiet", "failing", "standby", "disabled"]),
    about(
      "`quiet`: within the quiet hours; `failing`: the last message was not sent, and the proxy keeps trying; `standby`: another replica sends",
    ),
  ),
  problem: v.optional(v.pipe(v.string(), about("why the last message was not sent"))),
  waiting: v.pipe(v.number(), about("notices that are not sent yet")),
  sent: v.pipe(v.number(), about("notices sent since the start of the proxy")),
  lost: v.pipe(v.number(), about("notices that were dropped because they could not be sent")),
  last_lost_at: v.optional(v.pipe(v.string(), about("RFC 3339"))),
  last_sent_at: v.optional(v.pipe(v.string(), about("RFC 3339"))),
});

export type ChannelStatus = v.InferOutput<typeof ChannelStatusShape>;
