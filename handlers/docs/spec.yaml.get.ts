import * as v from "valibot";
import { answerText } from "#lib/core/api/answer.ts";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";

/** The OpenAPI 3.1 document (spec 000 §1). */
export default endpoint("GET /docs/spec.yaml", {
  summary: "Get this document as YAML",
  access: "open",
  data: v.string(),
  answers: { conditional: true, json: false, types: ["application/yaml"] },
  async run({ app, c, endpoints }) {
    const { openapiYaml } = await import("#lib/core/api/openapi/yaml.ts");
    const { version } = app.boot;
    const text = openapiYaml(endpoints, { version, baseUrl: baseUrl(c, app) });
    return answerText(c, [text], "application/yaml");
  },
});
