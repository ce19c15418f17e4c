import * as v from "valibot";

/** A named set of servers as it works out now. */
export const ProfileRecord = v.object({
  name: v.string(),
  servers: v.pipe(v.array(v.string()), v.description("its servers that are configured")),
  unknown_servers: v.pipe(v.array(v.string()), v.description("names in the profile that match no server")),
  tool_count: v.number(),
  active: v.boolean(),
});
export type ProfileRecord = v.InferOutput<typeof ProfileRecord>;
