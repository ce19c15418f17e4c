import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { tokenSavings } from "#lib/core/verbs/tools/savings.ts";

const about = v.description;

/** What clients are spared by searching for tools instead of loading them all (reference 1.3). */
export default endpoint("GET /api/v1/stats/tokens", {
  summary: "Estimate the tokens that tool search saves",
  access: "read",
  data: v.object({
    total_server_tool_list_size: v.pipe(
      v.number(),
      about("tokens of all tool definitions, at about four characters per token"),
    ),
    average_query_result_size: v.pipe(v.number(), about("tokens of the definitions that one search returns")),
    saved_tokens: v.pipe(v.number(), about("difference: tokens that a client does not load")),
    saved_tokens_percentage: v.number(),
    per_server_tool_list_sizes: v.record(v.string(), v.number()),
  }),
  run: ({ app, caller }) => tokenSavings(app, caller),
});
