import type { Fault } from "../base/fault.ts";

/** The JSON text of a tool result holding one text block. */
export function textResult(text: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
}

/** What a built-in tool answered, as the JSON text of a tool result: text as it is, anything else as JSON text. */
export function valueResult(value: unknown): string {
  return textResult(typeof value === "string" ? value : JSON.stringify(value ?? null));
}

/**
 * A failure somebody can act on, as the JSON text of a tool result. The model reads the message; programs find the
 * fault's code in `_meta`. A fault that carries a report shows the report instead of its one line.
 */
export function faultResult(fault: Fault): string {
  const { report } = fault.facts;
  const text = report === undefined ? fault.message : JSON.stringify(report);
  const meta = JSON.stringify({ "proxy/code": fault.code });
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true,"_meta":${meta}}`;
}
