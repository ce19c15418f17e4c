import { errorTypeOf } from "../../extension/error-type-of.ts";
import type { Traffic } from "../../extension/traffic.ts";
import type { CallToolResult } from "../../schema/mcp.ts";
import type { Stage } from "./stage.ts";

/** Returns the stage that reports a call that was sent to its server. It is used only while something observes the traffic. */
export function callReporter(observers: Traffic): Stage {
  return function observeCall(call) {
    const { durationMs, reply, span } = call;
    const { observed } = call.request;
    const isToolError = (reply?.result as CallToolResult | null | undefined)?.isError === true;
    if (observed) {
      observed.upstreamMs = (observed.upstreamMs ?? 0) + durationMs;
      observed.isToolError = isToolError;
    }
    call.errorType = isToolError ? "tool_error" : reply ? undefined : errorTypeOf(call.error);
    observers.called(call);
    span?.end(call.errorType);
  };
}
