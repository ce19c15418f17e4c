import type { SinkRecord } from "./sink-record.ts";

/** The facilities of RFC 5424 by their usual names, in the order of their numbers. */
export const FACILITIES = [
  "kern",
  "user",
  "mail",
  "daemon",
  "auth",
  "syslog",
  "lpr",
  "news",
  "uucp",
  "cron",
  "authpriv",
  "ftp",
  "ntp",
  "audit",
  "alert",
  "clock",
  "local0",
  "local1",
  "local2",
  "local3",
  "local4",
  "local5",
  "local6",
  "local7",
] as const;

/** Maximum length of one message, which receivers should accept (RFC 5425 section 4.3.1). (bytes) */
const MAX_BYTES = 8192;
const SEVERITIES: Readonly<Record<string, number>> = { error: 3, failure: 4, deny: 4, blocked: 4, rejected: 4 };
const INFORMATIONAL = 6;
/** Members that are left out of a record which is too long for one message. */
const LARGE_MEMBERS = ["response", "arguments", "metadata", "error_message"] as const;

export interface SyslogOrigin {
  readonly facility: (typeof FACILITIES)[number];
  readonly hostname: string;
  readonly processId: number;
}

/**
 * Formats a record as a message of RFC 5424 whose content is the record as JSON. The message consists of ASCII
 * characters, so it needs no byte order mark.
 */
export function syslogMessage(record: SinkRecord, { facility, hostname, processId }: SyslogOrigin): string {
  const severity = SEVERITIES[record.status] ?? INFORMATIONAL;
  const priority = FACILITIES.indexOf(facility) * 8 + severity;
  const time = new Date(record.at).toISOString();
  const head = `<${priority}>1 ${time} ${nameOf(hostname, 255)} proxy ${processId} ${nameOf(record.type, 32)} - `;
  return head + contentOf(record, MAX_BYTES - head.length);
}

/** Returns a header field: printable ASCII without spaces, `-` if it is empty (RFC 5424 section 6). */
function nameOf(text: string, maxLength: number): string {
  return text.replace(/[^\x21-\x7e]/g, "_").slice(0, maxLength) || "-";
}

function contentOf({ line }: SinkRecord, maxLength: number): string {
  let text = asciiJson(line);
  if (text.length <= maxLength) return text;
  const record: Record<string, unknown> = { ...(JSON.parse(line) as object), truncated: true };
  for (const member of LARGE_MEMBERS) {
    delete record[member];
    text = asciiJson(JSON.stringify(record));
    if (text.length <= maxLength) return text;
  }
  const { id, seq, timestamp, ts, type, event, truncated } = record;
  return asciiJson(JSON.stringify({ id, seq, timestamp, ts, type, event, truncated }));
}

/** Escapes the characters of a JSON text that are not ASCII. */
function asciiJson(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
