import assert from "node:assert/strict";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { endpoints } from "#handlers/routes.gen.ts";
import type { Endpoint } from "#lib/core/api/endpoint.ts";
import { openapiDocument } from "#lib/core/api/openapi/openapi.ts";
import { modules } from "#lib/modules/modules.gen.ts";

/** The members of a JSON Schema that tests read. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
}
export interface Operation {
  operationId: string;
  tags: string[];
  security?: object[];
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
export interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    examples: Record<string, { value: { error: string; code: string } }>;
  };
}

// The import has an effect only if a name of it is used, because bundled chunks are evaluated in the order of their
// dependencies.
assert.ok(modules.length > 0);

/** The API description with all endpoints. */
export const reference = openapiDocument(endpoints, {
  version: "1.0.0",
  baseUrl: "http://localhost",
}) as unknown as Document;

export function operationOf({ method, path }: Pick<Endpoint, "method" | "path">): Operation | undefined {
  return reference.paths[path]?.[method.toLowerCase()];
}

const routes = endpoints.map((e) => ({ e, fits: new RegExp(`^${e.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));

/** The endpoint for a request, that with the fewest path parameters first. */
export function endpointAt(method: string, path: string): Endpoint | undefined {
  return routes.find(({ e, fits }) => e.method === method && fits.test(path))?.e;
}

// Without optimisation, because these validators check few values.
const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
// Validators refer to the document, so that each component is compiled once instead of once per response.
ajv.addSchema(reference, "reference");
const compiled = new Map<string, ValidateFunction>();

/** Why a response contradicts the API description; empty if it conforms. */
export function wrongWith(e: Endpoint, answer: { status: number; headers: Headers; body: unknown }): string {
  const { status, body } = answer;
  const documented = operationOf(e)?.responses[status];
  if (!documented) return `status ${status} is not documented: ${JSON.stringify(body)?.slice(0, 300)}`;
  const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
  if (!documented.content) return body === "" ? "" : `a body of ${type} is not documented`;
  const media = documented.content[type];
  if (!media) return `${type} is not among ${Object.keys(documented.content)}`;
  if (type !== "application/json") return "";
  const key = `${e.route} ${status}`;
  let fits = compiled.get(key);
  if (!fits) {
    ajv.validateSchema(media.schema, true);
    const steps = ["paths", e.path, e.method.toLowerCase(), "responses", String(status), "content", type, "schema"];
    fits = ajv.compile({ $ref: `reference#/${steps.map(pointerStep).join("/")}` });
    compiled.set(key, fits);
  }
  return fits(body) ? "" : `${ajv.errorsText(fits.errors)} in ${JSON.stringify(body).slice(0, 500)}`;
}

/** A member's name as a step of a JSON Pointer in a URI (RFC 6901 section 6). */
function pointerStep(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
