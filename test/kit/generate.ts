import type { Schema } from "./openapi.ts";
import type { Random } from "./random.ts";

/** Texts with a meaning for some parameter, so that not every request fails at the first check. */
const TEXTS = [
  "git",
  "log",
  "git:log",
  "web:get",
  "x",
  "new-one",
  "1",
  "7",
  "30s",
  "2026-01-31T09:30:00Z",
  "read",
  "json",
];

/** Likely values by member name, because the document declares types, not meanings. */
const BY_NAME: Record<string, readonly unknown[]> = {
  name: ["new-one", "bot-2", "other"],
  command: ["no-such-program"],
  url: ["https://mcp.invalid/mcp"],
  protocol: ["stdio", "auto"],
  trust_mode: ["auto", "scan", "manual"],
  code: ["1 + 1", "({ a: [1] })", "throw new Error('x')", "syntax error"],
  language: ["javascript"],
  input: [{}, { a: 1 }],
  options: [{}, { max_tool_calls: 1 }],
  tool_name: ["git:log", "git:new", "git:none"],
  id: ["git:log", "web:get", "git:none"],
  tools: [["log"], ["new", "old"], ["none"]],
  allowed_servers: [["git"], ["*"]],
  expires_in: ["24h"],
  format: ["json", "text", "csv"],
  limit: ["1", "5"],
  offset: ["0", "1"],
  tail: ["3"],
  type: ["tool_call", "config_change"],
  status: ["success", "active"],
  start_time: ["2026-01-31T09:30:00Z"],
  end_time: ["2036-01-31T09:30:00Z"],
  q: ["log", "does get"],
};

/** Texts without a meaning for any parameter. */
const ODD_TEXTS = [
  "",
  " ",
  "\u0000",
  "é\u202e💩",
  "\ud800",
  "__proto__",
  "a".repeat(3000),
  "../..",
  "${x}",
  "••••zz (9 chars)",
];
const ODD = [null, false, -1, 1.5, 1e21, [], [null], {}, { a: { b: [] } }, ...ODD_TEXTS];

/** Generates a value that the schema allows, as far as it constrains values. */
export function valid(schema: Schema, r: Random): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return r.pick(schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return valid(r.pick(options), r);
  switch (Array.isArray(schema.type) ? r.pick(schema.type) : schema.type) {
    case "object":
      return object(schema, r);
    case "array":
      return Array.from({ length: (schema.minItems ?? 0) + r.below(3) }, () => valid(schema.items ?? {}, r));
    case "string":
      return text(schema, r);
    case "integer":
    case "number":
      return number(schema, r);
    case "boolean":
      return r.below(2) === 0;
    case "null":
      return null;
    default:
      return r.pick<unknown>([...TEXTS, 1, false, null, {}, [], { a: 1 }]);
  }
}

/** Generates a value for a member or parameter of this name, usually a meaningful one. */
export function named(name: string, schema: Schema, r: Random): unknown {
  const known = Object.hasOwn(BY_NAME, name) && r.below(4) > 0 ? BY_NAME[name]! : [];
  const fitting = known.filter((value) => fits(schema, value));
  return fitting.length > 0 ? r.pick(fitting) : valid(schema, r);
}

/** Whether the schema allows the type of a value. */
function fits(schema: Schema, value: unknown): boolean {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.some((option) => fits(option, value));
  if (schema.enum) return schema.enum.includes(value);
  const type = Array.isArray(value) ? "array" : typeof value;
  if (type === "array" && typeof schema.items?.properties === "object") return false;
  return schema.type === undefined || [schema.type].flat().includes(type);
}

/** Changes a value in one way: removes or adds a member, or sets an invalid one. */
export function near(value: unknown, r: Random): unknown {
  if (typeof value !== "object" || value === null || r.below(10) === 0) return r.pick(ODD);
  if (Array.isArray(value)) {
    if (value.length === 0) return [r.pick(ODD)];
    const at = r.below(value.length);
    return value.map((item, i) => (i === at ? near(item, r) : item));
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || r.below(4) === 0)
    return { ...value, [r.pick(["unknown", "name", ...ODD_TEXTS])]: r.pick(ODD) };
  const at = r.below(entries.length);
  if (r.below(3) === 0) return Object.fromEntries(entries.filter((_, i) => i !== at));
  return Object.fromEntries(entries.map(([key, item], i) => [key, i === at ? near(item, r) : item]));
}

/** Generates a text for a position that only accepts texts. */
export function oddText(r: Random): string {
  return r.pick(ODD_TEXTS);
}

function object({ properties = {}, required = [], additionalProperties }: Schema, r: Random): object {
  const few = Object.keys(properties).length > 12 ? 8 : 2;
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name) || r.below(few) === 0);
  const members = wanted.map(([name, schema]) => [name, named(name, schema, r)]);
  if (typeof additionalProperties === "object" && r.below(2) === 0)
    members.push([r.pick(TEXTS), valid(additionalProperties, r)]);
  return Object.fromEntries(members);
}

function text({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema, r: Random): string {
  const fits = new RegExp(pattern ?? "", "u");
  const fitting = TEXTS.filter((one) => fits.test(one) && one.length >= minLength && one.length <= maxLength);
  return fitting.length > 0 ? r.pick(fitting) : "x".repeat(minLength);
}

function number({ type, minimum = 0, maximum = minimum + 100 }: Schema, r: Random): number {
  const whole = minimum + r.below(Math.max(1, Math.min(100, maximum - minimum + 1)));
  return type === "number" && r.below(4) === 0 ? Math.min(maximum, whole + 0.5) : whole;
}
