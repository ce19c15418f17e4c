import * as v from "valibot";
import { Job } from "../../schema/job.ts";
import { DryRun } from "../dry-run.ts";
import { type Endpoint, type EndpointAnswers, isBodyOptional, isConditional } from "../endpoint.ts";
import { VALIDATE_ONLY } from "../request-options.ts";
import { errorAnswers } from "./errors.ts";
import { headerParameters, headersOf } from "./headers.ts";
import { type SchemaJson, schemaOf } from "./schema.ts";

/** Describes one endpoint as an OpenAPI operation. */
export function openapiOperation(e: Endpoint): SchemaJson {
  const { path, spec } = e;
  const { access = "admin" } = spec;
  return {
    operationId: idOf(e),
    tags: [operationTag(path)],
    summary: spec.summary,
    description: ACCESS[access],
    ...(access === "open" && { security: [] }),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(spec.query),
      ...(spec.validates ? [VALIDATE] : []),
      ...headerParameters(e),
    ],
    ...(spec.body && {
      requestBody: {
        required: !isBodyOptional(e),
        content: { "application/json": { schema: schemaOf(spec.body, "input") } },
      },
    }),
    ...(spec.form && {
      requestBody: { required: true, content: { "application/x-www-form-urlencoded": { schema: { type: "object" } } } },
    }),
    ...(spec.upload !== undefined && {
      requestBody: { required: true, content: { "multipart/form-data": { schema: form(spec.upload) } } },
    }),
    responses: responses(e),
  };
}

const VALIDATE: SchemaJson = {
  name: VALIDATE_ONLY,
  in: "query",
  description: "validate the request and report what it would change, without changing anything (default: false)",
  schema: { enum: ["true", "false"], type: "string" },
};

const form = (file: string): SchemaJson => ({
  type: "object",
  required: [file],
  properties: { [file]: { type: "string", format: "binary" } },
});

const ACCESS = {
  open: "Needs no credential.",
  read: "For administrators, and for agent tokens within their scope.",
  user: "For signed-in users of the multi-user edition.",
  person: "For people who are signed in to the control panel.",
  admin: "For administrators.",
};

/** Returns the first part of a path after the prefix, which names the subject. */
export function operationTag(path: string): string {
  return path.replace(/^\/api\/v1/, "").split("/")[1] ?? "";
}

function idOf({ method, path }: Endpoint): string {
  const words = path.replace(/^\/api\/v1/, "").match(/\w+/g) ?? [];
  return [method.toLowerCase(), ...words, ...(path.endsWith("/") ? ["index"] : [])].join("_");
}

function pathParameters(path: string): SchemaJson[] {
  return [...path.matchAll(/(?<=(\w*)\}?\/)\{(\w+)\}/g)].map(([, parent = "", name = ""]) => ({
    name,
    in: "path",
    description: IN_PATH[`${parent}/${name}`] ?? IN_PATH[name],
    required: true,
    schema: { type: "string" },
  }));
}

/** Descriptions of path parameters, by name, or by the preceding part and the name. */
const IN_PATH: Readonly<Record<string, string>> = {
  name: "server name",
  server: "server name",
  "scripts/name": "name of the stored script, without its extension",
  "secrets/name": "name of the secret",
  "tokens/name": "name of the agent token",
  tool: "name of the tool, without its server",
  client: "id of the MCP client, as `GET /api/v1/connect` lists it",
  version: "number of the version, as `GET /api/v1/config/history` lists it",
  serverId: "id of the server within its registry",
  endpoint: "first part of the endpoint's path: `mcp`",
  kind: "second part: `all`, `call`, `code`, or `p` before a profile",
  profile: "name of the profile",
  mode: "part after the profile: `all`, `call` or `code`",
  uid: "id of the sign-in, from the URL of the consent page",
  "jobs/id": "id of the job",
  "activity/id": "id of the activity record",
  "passkeys/id": "id of the passkey",
  "registries/id": "id of the registry",
  "scanners/id": "id of the scanner",
  "scans/id": "id of the scan",
  "sessions/id": "id of the session",
  "users/id": "id of the user",
  file: "name of the file",
  page: "name of the page",
  item: "item that the page shows",
  part: "part of the item",
};

function queryParameters(query: Endpoint["spec"]["query"]): SchemaJson[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, "input") as {
    properties?: Record<string, SchemaJson>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(description !== undefined && { description }),
    ...(required.includes(name) && { required: true }),
    schema: schema.type === "integer" && "default" in schema ? { ...schema, default: Number(schema.default) } : schema,
  }));
}

function responses(e: Endpoint): SchemaJson {
  const { spec } = e;
  const { status = 200, others = {}, pages = [], types: [page = "text/html"] = [] } = spec.answers ?? {};
  const all: Record<number, SchemaJson> = { [status]: success(spec) };
  for (const [code, answer] of errorAnswers(e)) all[code] = answer;
  for (const [code, schema] of Object.entries(others)) all[Number(code)] = beside(all[Number(code)], schema);
  for (const code of pages)
    all[code] = {
      ...all[code],
      content: { ...(all[code]?.content as SchemaJson), [page]: { schema: { type: "string" } } },
    };
  all[431] = HEADERS_TOO_LARGE;
  if (isConditional(e)) all[304] = { description: "the client's copy is current" };
  if (spec.validates) all[200] = all[200] ? beside(all[200], DryRunAnswer) : beside(undefined, DryRunAnswer);
  if (spec.deferrable) all[202] = beside(undefined, Accepted);
  return Object.fromEntries(
    Object.entries(all).map(([code, answer]) => [code, { ...answer, headers: headersOf(e, Number(code)) }]),
  );
}

/** The listener sends this response before an operation is selected. */
const HEADERS_TOO_LARGE: SchemaJson = {
  description: "the URL and the headers are larger than 64 KiB",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

const DryRunAnswer = v.pipe(
  v.object({ success: v.literal(true), data: DryRun }),
  v.description("with `validate_only=true`: the changes that the request would make"),
);
const Accepted = v.pipe(
  v.object({ success: v.literal(true), data: v.object({ job: Job }) }),
  v.description("with `Prefer: respond-async`: the job that continues the request"),
);

function success({ summary, data, flat, answers = {} }: Endpoint["spec"]): SchemaJson {
  const shown = withSparse(schemaOf(data, "output"), answers.sparse);
  const schema = answers.bare ? shown : envelope(shown, flat);
  const content: Record<string, SchemaJson> = answers.json === false ? {} : { "application/json": { schema } };
  for (const type of answers.types ?? [])
    content[type] = { schema: textSchema(type), ...(answers.events && { "x-events": eventsOf(answers.events) }) };
  return { description: summary, ...(Object.keys(content).length > 0 && { content }) };
}

/** With `fields`, a record may lack any of its members, so its schema is any object. */
function withSparse(data: SchemaJson, member: string | undefined): SchemaJson {
  if (member === undefined) return data;
  const properties = data.properties as Record<string, SchemaJson>;
  const list = properties[member]!;
  const cut = { type: "object", description: "with `fields`: a record with only those members" };
  return { ...data, properties: { ...properties, [member]: { ...list, items: { anyOf: [list.items, cut] } } } };
}

/** The schema of a text. For YAML it describes the parsed content. */
const textSchema = (type: string): SchemaJson => ({ type: type.endsWith("yaml") ? "object" : "string" });

/** Returns the schemas of `data` in the events of a stream, by event kind. */
function eventsOf(events: NonNullable<EndpointAnswers["events"]>): SchemaJson {
  return Object.fromEntries(Object.entries(events).map(([kind, schema]) => [kind, schemaOf(schema, "output")]));
}

/** Wraps the schema of `data` in the envelope. A flat response also has the members of `data` at the top level. */
function envelope(data: SchemaJson, flat: true | undefined): SchemaJson {
  const { properties = {}, required = [] } = (flat ? data : {}) as { properties?: SchemaJson; required?: string[] };
  return {
    type: "object",
    required: ["success", "data", ...required],
    properties: { ...properties, success: { const: true }, data },
  };
}

/** Describes a status that has both the general form and one specific to the endpoint. */
function beside(general: SchemaJson | undefined, schema: Parameters<typeof schemaOf>[0]): SchemaJson {
  const own = schemaOf(schema, "output");
  if (!general) return { description: "", ...described(own), content: { "application/json": { schema: own } } };
  const content = general.content as Record<string, SchemaJson>;
  const json = content["application/json"]!;
  return { ...general, content: { "application/json": { ...json, schema: { anyOf: [json.schema, own] } } } };
}

function described({ description }: SchemaJson): SchemaJson {
  return description === undefined ? {} : { description };
}
