import * as v from "valibot";
import { answerText } from "#lib/core/api/answer.ts";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";

/** The OpenAPI 3.1 document (spec 000 §9). */
export default endpoint("GET /docs/spec.json", {
  summary: "Get this document as JSON",
  access: "open",
  data: v.looseObject({ openapi: v.string() }),
  answers: { bare: true, conditional: true },
  async run({ app, c, endpoints }) {
    const { openapiJson } = await import("#lib/core/api/openapi/openapi.ts");
    const { version } = app.boot;
    const text = openapiJson(endpoints, { version, baseUrl: baseUrl(c, app) });
    return answerText(c, [text], "application/json");
  },
});
