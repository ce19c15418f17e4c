import type { App } from "../../core/app.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import type { SinkConfig } from "./config.ts";
import { type Destination, RejectedRecords } from "./destination.ts";
import { otlpLogs } from "./otlp-logs.ts";
import { post } from "./post.ts";
import { resolveHeaders } from "./resolve-headers.ts";

/** Sends records as logs of OpenTelemetry: OTLP over HTTP, encoded as JSON. */
export async function openOtlpDestination(app: App, sink: SinkConfig): Promise<Destination> {
  const url = logsUrl(await app.secrets.resolve(sink.url ?? ""));
  const headers = await resolveHeaders(app, sink.headers);
  return {
    async deliver(records, signal) {
      const body = otlpLogs(records, { version: app.boot.version, now: app.clock.now() });
      const { text } = await post(app, { url, headers, body }, signal);
      const rejected = rejectedCount(text);
      // Of several records it is unknown which ones were rejected; they are sent again one by one.
      if (rejected > 0) throw new RejectedRecords(`the collector rejected ${rejected} record(s)`);
    },
    async close() {},
  };
}

/** The base URL of a collector gets the path of the protocol; a URL with a path is used as it is. */
function logsUrl(text: string): string {
  const url = new URL(text);
  if (url.pathname === "/") url.pathname = "/v1/logs";
  return url.href;
}

/** Returns how many records a collector rejected, which its response with status 200 says. */
function rejectedCount(text: string): number {
  try {
    const answer: unknown = JSON.parse(text);
    if (!isJsonObject(answer) || !isJsonObject(answer.partialSuccess)) return 0;
    return Number(answer.partialSuccess.rejectedLogRecords ?? 0);
  } catch {
    return 0;
  }
}
