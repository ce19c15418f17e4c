import { wellFormed } from "../../core/base/well-formed.ts";

/** An attribute in the JSON of OTLP. */
export interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

/** Labels whose names come from the conventions of OpenTelemetry, where dots separate the parts. */
const NAMES: Readonly<Record<string, string>> = {
  error_type: "error.type",
  gen_ai_tool_name: "gen_ai.tool.name",
  mcp_method_name: "mcp.method.name",
  mcp_protocol_version: "mcp.protocol.version",
  network_transport: "network.transport",
};

/** Writes attributes whose values are text. An undefined value means that the attribute is absent. */
export function attributesOf(values: Readonly<Record<string, unknown>>): OtlpAttribute[] {
  const attributes: OtlpAttribute[] = [];
  for (const key of Object.keys(values)) {
    const value = values[key];
    if (value !== undefined) attributes.push({ key, value: { stringValue: String(value) } });
  }
  return attributes;
}

/** Writes the labels of a metric. An empty label means that there is none, so the attribute is absent. */
export function attributesOfLabels(labels: Readonly<Record<string, unknown>>): OtlpAttribute[] {
  return Object.entries(labels).flatMap(([label, value]) =>
    value === undefined || value === ""
      ? []
      : [{ key: NAMES[label] ?? label, value: { stringValue: wellFormed(String(value)) } }],
  );
}
