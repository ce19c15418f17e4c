import type { Data } from "../../api.ts";

/** A tool with its schema. */
export type Known = Data<"GET /api/v1/servers/{name}/tools">["tools"][number];

/** Up to three callable read-only tools that are not deprecated; those without required arguments first. */
export function suggestions(tools: readonly Known[]): readonly Known[] {
  const usable = tools.filter(
    (t) =>
      t.approval_status === "approved" &&
      !t.disabled &&
      !t.config_denied &&
      t.annotations?.destructiveHint !== true &&
      !/\bdeprecated\b/i.test(`${t.title ?? ""} ${t.description}`),
  );
  const reading = usable.filter((t) => t.annotations?.readOnlyHint === true);
  const needs = ({ schema }: Pick<Known, "schema">) => (Array.isArray(schema.required) ? schema.required.length : 0);
  return [...(reading.length > 0 ? reading : usable)].sort((a, b) => needs(a) - needs(b)).slice(0, 3);
}
