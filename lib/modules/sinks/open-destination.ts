import type { App } from "../../core/app.ts";
import type { SinkConfig } from "./config.ts";
import type { Destination } from "./destination.ts";

/** Opens the destination of a sink. The code of each type is loaded only when a sink of this type is configured. */
export async function openDestination(app: App, sink: SinkConfig, signal: AbortSignal): Promise<Destination> {
  switch (sink.type) {
    case "file": {
      const { openFileDestination } = await import("./file-destination.ts");
      return openFileDestination(app, sink);
    }
    case "stdout": {
      const { openStdoutDestination } = await import("./stdout-destination.ts");
      return openStdoutDestination(app.boot.auditTo);
    }
    case "syslog": {
      const { openSyslogDestination } = await import("./syslog-destination.ts");
      return openSyslogDestination(app, sink, signal);
    }
    case "otlp": {
      const { openOtlpDestination } = await import("./otlp-destination.ts");
      return openOtlpDestination(app, sink);
    }
    case "webhook": {
      const { openWebhookDestination } = await import("./webhook-destination.ts");
      return openWebhookDestination(app, sink);
    }
  }
}
