import * as v from "valibot";

const about = v.description;

/** Tokens that clients save by searching for tools instead of loading them all (reference 1.3). */
export const TokenSavings = v.object({
  total_server_tool_list_size: v.pipe(
    v.number(),
    about("tokens of all tool definitions, at about four characters per token"),
  ),
  average_query_result_size: v.pipe(v.number(), about("tokens of the definitions that one search returns")),
  saved_tokens: v.pipe(v.number(), about("difference: tokens that a client does not load")),
  saved_tokens_percentage: v.number(),
  per_server_tool_list_sizes: v.record(v.string(), v.number()),
});
export type TokenSavings = v.InferOutput<typeof TokenSavings>;
