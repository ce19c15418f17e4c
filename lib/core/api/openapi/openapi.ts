import type { Endpoint } from "../endpoint.ts";
import { configSchema } from "./config-schema.ts";
import { ERROR_SCHEMA, errorExamples } from "./errors.ts";
import { HEADERS, METHOD_NOT_ALLOWED } from "./headers.ts";
import { openapiOperation, operationTag } from "./operation.ts";
import { namedSchemas, type SchemaJson } from "./schema.ts";

/** The running proxy that the OpenAPI document describes. */
export interface OpenapiSite {
  /** Version of the program. */
  version: string;
  /** Scheme, host and port at which the reader of the document reaches the proxy. */
  baseUrl: string;
}

/**
 * Builds the OpenAPI 3.1 document of the endpoints from the schemas that also validate their requests.
 *
 * @see spec 000 §1, §9
 */
export function openapiDocument(endpoints: readonly Endpoint[], site: OpenapiSite): SchemaJson {
  return { ...openapiHead(site), ...openapiBody(endpoints) };
}

const texts = new WeakMap<readonly Endpoint[], string>();

/** Returns the document as JSON. The part that is the same for all readers is cached. */
export function openapiJson(endpoints: readonly Endpoint[], site: OpenapiSite): string {
  let text = texts.get(endpoints);
  if (text === undefined) {
    text = JSON.stringify(openapiBody(endpoints));
    texts.set(endpoints, text);
  }
  return `${JSON.stringify(openapiHead(site)).slice(0, -1)},${text.slice(1)}`;
}

/** Returns the part that differs between readers. */
export function openapiHead({ version, baseUrl }: OpenapiSite): SchemaJson {
  return {
    openapi: "3.1.0",
    info: { title: "proxy", version, summary: "One endpoint in front of every MCP server", description: ABOUT },
    servers: [{ url: baseUrl }],
  };
}

const cache = new WeakMap<readonly Endpoint[], SchemaJson>();

/** Returns the part that is the same for all readers; it is made once. */
export function openapiBody(endpoints: readonly Endpoint[]): SchemaJson {
  let made = cache.get(endpoints);
  if (!made) {
    made = describe(endpoints);
    cache.set(endpoints, made);
  }
  return made;
}

function describe(endpoints: readonly Endpoint[]): SchemaJson {
  const paths: Record<string, SchemaJson> = {};
  for (const e of endpoints) {
    paths[e.path] ??= {};
    paths[e.path]![e.method.toLowerCase()] = openapiOperation(e);
  }
  const tags = [...new Set(endpoints.map(({ path }) => operationTag(path)))].sort();
  return {
    // Any one of these credentials is sufficient.
    security: Object.keys(SCHEMES).map((name) => ({ [name]: [] })),
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA, Configuration: configSchema(), ...namedSchemas() },
      examples: errorExamples(endpoints),
      headers: HEADERS,
      responses: { MethodNotAllowed: METHOD_NOT_ALLOWED },
      securitySchemes: SCHEMES,
    },
  };
}

const ABOUT = `Every answer names its request in \`X-Request-Id\`. A success is \`{ "success": true, "data": … }\`, a
failure \`{ "success": false, "error": …, "code": …, "request_id": … }\`, unless an operation specifies another format. The local socket needs no credential. The proxy compresses responses for clients that accept gzip. MCP clients connect to \`/mcp\`.`.replaceAll(
  "\n",
  " ",
);

const SCHEMES = {
  key: { type: "apiKey", in: "header", name: "X-API-Key", description: "API key or agent token" },
  bearer: { type: "http", scheme: "bearer", description: "API key or agent token as a bearer token" },
  query: {
    type: "apiKey",
    in: "query",
    name: "apikey",
    description: "API key or agent token in the URL, for clients that cannot set headers",
  },
};
