import { isJsonObject } from "../base/json-object.ts";
import type { TraceContext } from "./traffic.ts";

/** Maximum length of each part (characters): those of W3C, and for `traceparent` more than any version has. */
const MAX_LENGTHS = { traceparent: 256, tracestate: 512, baggage: 8192 } as const;

const NAMES = ["traceparent", "tracestate", "baggage"] as const;

/** The context of a request without one. */
export const NO_TRACE_CONTEXT: TraceContext = Object.freeze({});

/**
 * Reads a trace context from `_meta` or from HTTP headers, where its parts have the same names. Parts that are not text
 * or too long are ignored; whether `traceparent` is valid is not checked.
 */
export function readTraceContext(source: unknown): TraceContext {
  if (!isJsonObject(source)) return NO_TRACE_CONTEXT;
  const context: Writable<TraceContext> = {};
  for (const name of NAMES) {
    const value = source[name];
    if (typeof value === "string" && value.length <= MAX_LENGTHS[name]) context[name] = value;
  }
  return context;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
