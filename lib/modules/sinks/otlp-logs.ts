import { wellFormed } from "../../core/base/well-formed.ts";
import type { SinkRecord } from "./sink-record.ts";

/** Severities of the log data model of OpenTelemetry by the status of a record. */
const SEVERITIES: Readonly<Record<string, readonly [number: number, text: string]>> = {
  error: [17, "ERROR"],
  failure: [13, "WARN"],
  deny: [13, "WARN"],
  blocked: [13, "WARN"],
  rejected: [13, "WARN"],
};
const INFO = [9, "INFO"] as const;

/** Members of records that become attributes, by the names of the semantic conventions where they have one. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  server_name: "proxy.server",
  server: "proxy.server",
  tool_name: "gen_ai.tool.name",
  tool: "gen_ai.tool.name",
  session_id: "mcp.session.id",
  request_id: "proxy.request.id",
};

/** Returns an ExportLogsServiceRequest as JSON. The body of each log is the record as JSON text. */
export function otlpLogs(records: readonly SinkRecord[], { version, now }: { version: string; now: number }): string {
  const logRecords = records.map((record) => {
    const [severityNumber, severityText] = SEVERITIES[record.status] ?? INFO;
    return {
      timeUnixNano: nanoseconds(record.at),
      observedTimeUnixNano: nanoseconds(now),
      severityNumber,
      severityText,
      eventName: `proxy.${record.kind}.${record.type}`,
      body: { stringValue: record.line },
      attributes: attributesOf(record),
    };
  });
  const resource = { attributes: [attribute("service.name", "proxy"), attribute("service.version", version)] };
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: "proxy" }, logRecords }] }] });
}

function attributesOf({ id, line }: SinkRecord) {
  const members = JSON.parse(line) as Record<string, unknown>;
  const named = Object.entries(ATTRIBUTES).flatMap(([member, name]) => {
    const value = members[member];
    return typeof value === "string" && value !== "" ? [attribute(name, wellFormed(value))] : [];
  });
  return [attribute("log.record.uid", id), ...named];
}

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** 64-bit numbers are texts in the JSON encoding of OTLP. */
const nanoseconds = (ms: number) => `${Math.round(ms * 1000)}000`;
