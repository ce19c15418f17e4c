import { answerServerItems, ServerItems, serverItemsQuery } from "#lib/core/api/answer-items.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";

/** The resource templates of one server, in its order; for callers other than administrators only the approved ones. */
export default endpoint("GET /api/v1/servers/{name}/resource-templates", {
  summary: "List the resource templates of one server",
  access: "read",
  query: serverItemsQuery,
  data: ServerItems,
  faults: ["server_not_found"],
  answers: { sparse: "items" },
  run: (request) => answerServerItems(request, request.params.name, "template"),
});
