import { SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import { loopShare } from "../../core/base/loop-share.ts";
import { wellFormed } from "../../core/base/well-formed.ts";
import { methodLabel, transportLabel } from "../metrics/label-values.ts";
import { attributesOf, type OtlpAttribute } from "./otlp-attributes.ts";
import type { RecordedSpan, SpanParent, SpanSubject } from "./recorded-span.ts";

/** Nobody waits for a message, so the calls in progress are not delayed longer than this by writing it. */
const SHARE_MS = 1;

/** Maximum length of a name that a client or a server chose (characters). */
const MAX_NAME = 200;

/**
 * Returns a function that writes spans in the JSON of OTLP, with pauses. It names them as OpenTelemetry's conventions for
 * MCP do: a request of a client is of kind SERVER, a call to a server of kind CLIENT. Requests of the REST API follow the
 * conventions for HTTP.
 *
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function spansDocument(
  resource: Resource,
  version: string,
): (spans: readonly RecordedSpan[]) => Promise<string> {
  const about = JSON.stringify({ attributes: attributesOf(resource.attributes) });
  const scope = JSON.stringify({ name: "proxy", version });
  return async (spans) => {
    const pause = loopShare("background", SHARE_MS);
    const texts: string[] = [];
    for (const span of spans) {
      texts.push(JSON.stringify(otlpSpan(span)));
      const paused = pause();
      if (paused) await paused;
    }
    const scopes = `[{"scope":${scope},"spans":[${texts.join(",")}]}]`;
    return `{"resourceSpans":[{"resource":${about},"scopeSpans":${scopes}}]}`;
  };
}

/** Members that are undefined are absent in the text. */
function otlpSpan({ traceId, spanId, tracestate, parent, subject, startedAt, endedAt, errorType }: RecordedSpan) {
  const { name, kind, attributes } = described(subject);
  if (errorType !== undefined) attributes.push(...errorAttributes(errorType));
  return {
    traceId,
    spanId,
    traceState: tracestate || undefined,
    parentSpanId: parent?.spanId,
    flags: flagsOf(parent),
    name,
    kind: OTLP_KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes,
    status: errorType === undefined ? {} : { code: SpanStatusCode.ERROR },
  };
}

/** The kinds as OTLP numbers them; those of the API begin with 0. */
const OTLP_KINDS = { [SpanKind.SERVER]: 2, [SpanKind.CLIENT]: 3 } as const;

/** Bits of `Span.flags` that say whether the parent is of another program. */
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

function flagsOf(parent: SpanParent | undefined): number {
  return TraceFlags.SAMPLED | HAS_IS_REMOTE | (parent?.isRemote ? IS_REMOTE : 0);
}

interface Description {
  readonly name: string;
  readonly kind: keyof typeof OTLP_KINDS;
  readonly attributes: OtlpAttribute[];
}

function described(subject: SpanSubject): Description {
  if ("call" in subject) {
    const { method, server, tool: item } = subject.call;
    const attributes = attributesOf({
      "mcp.method.name": method,
      "mcp.proxy.server": server,
      ...itemAttributes(method, item),
    });
    return { name: spanName(method, item), kind: SpanKind.CLIENT, attributes };
  }
  if ("http" in subject) {
    const { route, requestId } = subject.http;
    const [method, path] = route.split(" ");
    const attributes = attributesOf({
      "http.request.method": method,
      "http.route": path,
      "mcp.proxy.request_id": requestId,
    });
    return { name: route, kind: SpanKind.SERVER, attributes };
  }
  const { method: sentMethod, item, protocolVersion, listener, requestId } = subject.request;
  const method = methodLabel(sentMethod);
  const attributes = attributesOf({
    "mcp.method.name": method,
    "mcp.protocol.version": protocolVersion || undefined,
    "network.transport": transportLabel(listener) || undefined,
    ...itemAttributes(method, item),
    "mcp.proxy.request_id": requestId,
  });
  return { name: spanName(method, item), kind: SpanKind.SERVER, attributes };
}

/** Methods whose item is a name. The URI of a resource and what is completed are arguments, so no span has them. */
const HAS_NAME: ReadonlySet<string> = new Set(["tools/call", "prompts/get"]);

function itemAttributes(method: string, item: string | undefined) {
  if (item === undefined || !HAS_NAME.has(method)) return {};
  const name = nameOf(item);
  if (method === "prompts/get") return { "gen_ai.prompt.name": name };
  return { "gen_ai.tool.name": name, "gen_ai.operation.name": "execute_tool" };
}

function spanName(method: string, item: string | undefined): string {
  return item === undefined || !HAS_NAME.has(method) ? method : `${method} ${nameOf(item)}`;
}

/** A client or a server chose the name; with one that is no valid Unicode, a collector would reject all other spans, too. */
function nameOf(item: string): string {
  return wellFormed(item.slice(0, MAX_NAME));
}

/** The code of a JSON-RPC error has an attribute of its own as well. */
function errorAttributes(errorType: string): OtlpAttribute[] {
  return attributesOf({
    "error.type": errorType,
    "rpc.response.status_code": /^-?\d+$/.test(errorType) ? errorType : undefined,
  });
}

/** 64-bit numbers are texts in the JSON of OTLP. Times are exact to the microsecond. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}
