import { errorTypeOf } from "../extension/error-type-of.ts";
import { readTraceContext } from "../extension/trace-context.ts";
import { type ObservedRequest, traffic } from "../extension/traffic.ts";
import type { EndpointCall } from "./endpoint.ts";

/**
 * Runs the part of an endpoint that calls servers. If traces are made, it is within a span of its own, which continues
 * the trace in the HTTP headers.
 *
 * @param run gets what the calls to servers belong to
 */
export async function traceEndpoint<T>(
  { app, by, c }: Pick<EndpointCall<string, undefined, undefined>, "app" | "by" | "c">,
  route: `${string} ${string}`,
  run: (observed: ObservedRequest | undefined) => Promise<T>,
): Promise<T> {
  const { tracer } = app.part(traffic);
  if (!tracer) return run(undefined);
  const from = readTraceContext(c.req.header());
  const span = tracer.beginHttp({ route, requestId: by.origin.requestId, from });
  const observed: ObservedRequest = { span };
  try {
    const result = await run(observed);
    span.end(observed.isToolError ? "tool_error" : undefined);
    return result;
  } catch (error) {
    span.end(errorTypeOf(error));
    throw error;
  }
}
