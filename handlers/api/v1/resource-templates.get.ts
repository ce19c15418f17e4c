import { AllItems, allItemsQuery, answerAllItems } from "#lib/core/api/answer-items.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";

/** The resource templates of all servers; for callers other than administrators only the approved ones. */
export default endpoint("GET /api/v1/resource-templates", {
  summary: "List every resource template",
  access: "read",
  query: allItemsQuery,
  data: AllItems,
  answers: { sparse: "items" },
  run: (request) => answerAllItems(request, "template"),
});
