import { AllItems, allItemsQuery, answerAllItems } from "#lib/core/api/answer-items.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";

/** The prompts of all servers; for callers other than administrators only the approved ones. */
export default endpoint("GET /api/v1/prompts", {
  summary: "List every prompt",
  access: "read",
  query: allItemsQuery,
  data: AllItems,
  answers: { sparse: "items" },
  run: (request) => answerAllItems(request, "prompt"),
});
