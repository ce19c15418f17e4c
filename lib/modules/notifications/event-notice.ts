import type { EventOf } from "../../core/schema/event.ts";
import type { Notice } from "./notice.ts";
import { panelPage } from "./panel-page.ts";

type Occurrence = Omit<Notice, "at" | "count">;

/** Returns what people are notified of when an event is published; undefined for all other events. */
export function eventNotice(event: EventOf): Occurrence | undefined {
  switch (event.kind) {
    case "activity.tool_call.rejected": {
      const { scope, server_name, message } = event.data;
      const subject = scope === "global" ? "the proxy" : server_name;
      return {
        key: `limit:${scope}:${scope === "global" ? "" : server_name}`,
        kind: "limit",
        severity: "warning",
        title: `A limit of ${subject} was reached, and a call was rejected`,
        text: message,
        path: panelPage.rejectedCalls,
      };
    }
    case "security.integrity_alert": {
      const { server_name, alert_type, action } = event.data;
      return {
        key: `security:integrity:${server_name}:${alert_type}`,
        kind: "security",
        severity: "critical",
        title: `What server ${server_name} runs differs from what was approved`,
        text: action === "quarantined" ? `${alert_type}; the server is quarantined.` : alert_type,
        path: panelPage.scan(server_name),
      };
    }
    case "security.scan_settled": {
      const { server_name, verdict } = event.data;
      if (verdict !== "dangerous" && verdict !== "suspicious") return undefined;
      return {
        key: `security:scan:${server_name}:${verdict}`,
        kind: "security",
        severity: verdict === "dangerous" ? "critical" : "warning",
        title: `A scan found server ${server_name} ${verdict}`,
        text: "Read the findings before you approve anything of this server.",
        path: panelPage.scan(server_name),
      };
    }
    case "sensitive_data.detected": {
      const { server_name, tool_name, max_severity, detection_types, activity_id } = event.data;
      if (max_severity !== "high" && max_severity !== "critical") return undefined;
      return {
        key: `security:sensitive:${server_name}:${tool_name}`,
        kind: "security",
        severity: "warning",
        title: `Sensitive data in a call of ${server_name}:${tool_name}`,
        text: `Found: ${detection_types.join(", ")}.`,
        path: panelPage.activityRecord(activity_id),
      };
    }
    default:
      return undefined;
  }
}
