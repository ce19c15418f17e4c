import * as v from "valibot";
import { isJsonObject, setOwnProperty } from "../base/json-object.ts";

/** Keys that `record` of the schema library silently drops. */
const DROPPED = ["__proto__", "constructor", "prototype"];

/**
 * The schema of an object with arbitrary keys: names of servers and tools, arguments, headers. Every own key is read,
 * also those with names that all objects inherit: a tool may be called `constructor`, and an argument `prototype`. An
 * array is rejected.
 */
export function members<const V extends v.GenericSchema>(value: V, key: v.GenericSchema<string> = v.string()) {
  const schema = v.record(key, value);
  const library = schema["~run"].bind(schema);
  return Object.assign(schema, {
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const input = dataset.value;
      if (Array.isArray(input)) {
        v._addIssue(schema, "type", dataset, config);
        // The issues already say what is wrong with this member.
        return dataset as unknown as ReturnType<typeof library>;
      }
      const found = library(dataset, config);
      if (!isJsonObject(input)) return found;
      for (const key of DROPPED) if (Object.hasOwn(input, key)) take(found, key, input, value, config);
      return found;
    },
  });
}

/** Validates one member as the library does for other keys. */
function take(
  found: { typed?: boolean; value: unknown; issues?: unknown },
  key: string,
  input: Record<string, unknown>,
  schema: v.GenericSchema,
  config: v.Config<v.BaseIssue<unknown>>,
): void {
  const member = schema["~run"]({ value: input[key] }, config);
  for (const issue of member.issues ?? []) {
    const at = { type: "object", origin: "value", input, key, value: input[key] } as const;
    (issue as { path?: unknown[] }).path = [at, ...(issue.path ?? [])];
    found.issues = [...((found.issues as unknown[]) ?? []), issue];
  }
  if (!member.typed) found.typed = false;
  setOwnProperty(found.value as object, key, member.value);
}
