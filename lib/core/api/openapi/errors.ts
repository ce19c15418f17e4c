import { docsPath } from "../../base/docs-path.ts";
import { FAULTS, type FaultCode } from "../../base/fault.ts";
import type { Endpoint } from "../endpoint.ts";
import { matchedRevision } from "../revision.ts";
import { faultTexts } from "./fault-text.ts";
import { type SchemaJson, schemaOf } from "./schema.ts";

/** The general form of a failure (spec 000 §7), as `faultAnswer` writes it. */
export const ERROR_SCHEMA: SchemaJson = {
  type: "object",
  description: "The format of every error, unless the operation specifies another.",
  required: ["success", "error", "code", "request_id", "docs"],
  properties: {
    success: { const: false },
    error: { type: "string", description: "the error and its remedy, for people" },
    code: { type: "string", description: "stable error code, for programs" },
    request_id: {
      type: "string",
      description: "id of the request; also in the header `X-Request-Id`, in the log and in activity records",
    },
    docs: { type: "string", description: "path of the section of the documentation that explains the code" },
    validation_errors: {
      type: "array",
      description: "all errors of the document",
      items: {
        type: "object",
        required: ["field", "message"],
        properties: { field: { type: "string" }, message: { type: "string" } },
      },
    },
    missing_inputs: {
      type: "array",
      description: "with `missing_required_input`: the inputs that the server needs",
      items: {
        type: "object",
        required: ["name", "description", "secret"],
        properties: {
          name: { type: "string" },
          description: { type: "string" },
          secret: { type: "boolean" },
          choices: { type: "array", items: { type: "string" } },
        },
      },
    },
  },
};

/**
 * Returns the failures of one endpoint by the status in the general form: those it declares, and those that follow from
 * its method and access.
 */
function faultsOf({ method, path, spec }: Endpoint): Map<number, FaultCode[]> {
  const { access = "admin", upload, form, oversize } = spec;
  const codes = new Set<FaultCode>(["invalid_request", "forbidden_host", "internal", ...(spec.faults ?? [])]);
  if (matchedRevision({ method, path })) codes.add("changed_meanwhile");
  if (access !== "open") codes.add("unauthenticated").add("agent_token_invalid").add("too_many_attempts");
  if (access === "admin") codes.add("admin_required");
  if (access === "user") codes.add("user_required");
  if (access === "person") codes.add("person_required");
  if (access !== "open" && method !== "GET") codes.add("other_origin");
  if (spec.creates) codes.add("idempotency_key_reused");
  if (spec.deferrable) codes.add("too_many_jobs");
  const takesJson = method !== "GET" && upload === undefined && !form;
  if (takesJson) codes.add("unsupported_media_type");
  if (takesJson && oversize === undefined) codes.add("body_too_large").add("server_busy");
  if (path.includes("{name}") && path.startsWith("/api/v1/servers/")) codes.add("server_not_found");
  if (method !== "GET" && (access === "admin" || access === "user")) codes.add("disk_failed");
  // Every endpoint that needs a caller reads or changes what the replicas of a cluster share.
  if (access !== "open") codes.add("cluster_database_away").add("cluster_outdated");
  const byStatus = new Map<number, FaultCode[]>();
  for (const code of [...codes].sort())
    byStatus.set(FAULTS[code].status, [...(byStatus.get(FAULTS[code].status) ?? []), code]);
  return byStatus;
}

/** Describes the response with one status: its codes with their texts, in the general form. */
function errorAnswer(codes: readonly FaultCode[]): SchemaJson {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `- \`${code}\`: ${textOf(code)}`).join("\n"),
    content: {
      "application/json": {
        schema: { allOf: [{ $ref: "#/components/schemas/Error" }], properties: { code: { enum: codes } } },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** Describes all failures of an endpoint by status, in the form that the endpoint declares. */
export function errorAnswers(e: Endpoint): Map<number, SchemaJson> {
  const { failure } = e.spec;
  const faults = faultsOf(e);
  if (!failure) return new Map([...faults].map(([status, codes]) => [status, errorAnswer(codes)]));
  const lines = new Map<number, Set<string>>();
  const add = (status: number, error: string, text: string) =>
    lines.set(status, (lines.get(status) ?? new Set()).add(`- \`${error}\`: ${text}`));
  for (const [status, errors] of Object.entries(failure.others ?? {}))
    for (const [error, text] of Object.entries(errors)) add(Number(status), error, text);
  for (const [status, codes] of faults)
    for (const code of codes) {
      const reported = failure.report({ code, status, message: textOf(code) });
      add(reported.status, reported.body.error, textOf(code));
    }
  const schema = schemaOf(failure.schema, "output");
  const answer = (texts: Iterable<string>) => ({
    description: [...texts].join("\n"),
    content: { "application/json": { schema } },
  });
  return new Map([...lines].map(([status, texts]) => [status, answer(texts)]));
}

/** Returns an example for each code, to which `errorAnswer` refers. */
export function errorExamples(endpoints: readonly Endpoint[]): SchemaJson {
  const general = endpoints.filter(({ spec }) => !spec.failure);
  const codes = new Set(general.flatMap((e) => [...faultsOf(e).values()].flat()));
  const request_id = "4f1c2f0a-6a53-4d1c-9f0b-2f5a3e8f7c11";
  const example = (code: FaultCode) => ({
    value: { success: false, error: textOf(code), code, request_id, docs: docsPath("errors", code) },
  });
  return Object.fromEntries([...codes].sort().map((code) => [code, example(code)]));
}

/** Returns the text of a code, or the code itself if the text needs real facts. */
const textOf = (code: FaultCode) => faultTexts(code)[0] ?? code.replaceAll("_", " ");
