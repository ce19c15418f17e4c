import * as v from "valibot";

/** A profile (a named set of servers) with the servers it currently resolves to. */
export const ProfileRecord = v.object({
  name: v.string(),
  servers: v.pipe(v.array(v.string()), v.description("its servers that are configured")),
  unknown_servers: v.pipe(v.array(v.string()), v.description("names in the profile that match no server")),
  tool_count: v.number(),
  active: v.boolean(),
});
export type ProfileRecord = v.InferOutput<typeof ProfileRecord>;
