import { SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import { loopShare } from "../../core/base/loop-share.ts";
import { wellFormed } from "../../core/base/well-formed.ts";
import { methodLabel, transportLabel } from "../metrics/label-values.ts";
import { attributesOf } from "./otlp-attributes.ts";
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
    const known = new Map<string, Description>();
    for (const span of spans) {
      texts.push(spanText(span, known));
      const paused = pause();
      if (paused) await paused;
    }
    const scopes = `[{"scope":${scope},"spans":[${texts.join(",")}]}]`;
    return `{"resourceSpans":[{"resource":${about},"scopeSpans":${scopes}}]}`;
  };
}

/**
 * Writes a span. Its text is joined, because objects for `JSON.stringify` would take several times as long.
 *
 * @param known the descriptions of the other spans in the message: most are of a few tools
 */
function spanText(span: RecordedSpan, known: Map<string, Description>): string {
  const { traceId, spanId, tracestate, parent, subject, startedAt, endedAt, errorType } = span;
  const key = keyOf(subject);
  let description = known.get(key);
  if (!description) {
    description = described(subject);
    known.set(key, description);
  }
  const { beginning, attributes } = description;
  const state = tracestate === "" ? "" : `,"traceState":${JSON.stringify(tracestate)}`;
  const parentId = parent ? `,"parentSpanId":"${parent.spanId}"` : "";
  const times = `"startTimeUnixNano":"${nanoseconds(startedAt)}","endTimeUnixNano":"${nanoseconds(endedAt)}"`;
  const request = "call" in subject ? "" : requestIdText(subject);
  const error = errorType === undefined ? "" : `,${errorAttributes(errorType)}`;
  const status = errorType === undefined ? "{}" : FAILED;
  return `{"traceId":"${traceId}","spanId":"${spanId}"${state}${parentId},"flags":${flagsOf(parent)},${beginning},${times},"attributes":[${attributes}${request}${error}],"status":${status}}`;
}

const FAILED = JSON.stringify({ code: SpanStatusCode.ERROR });

type RequestSubject = Exclude<SpanSubject, { readonly call: unknown }>;

function requestIdText(subject: RequestSubject): string {
  const { requestId } = "http" in subject ? subject.http : subject.request;
  return `,{"key":"mcp.proxy.request_id","value":{"stringValue":${JSON.stringify(requestId)}}}`;
}

/** Returns a text that is the same for subjects with the same description. Names may contain any character. */
function keyOf(subject: SpanSubject): string {
  if ("call" in subject) {
    const { method, server, tool } = subject.call;
    return `c${method.length} ${server.length} ${method}${server}${tool}`;
  }
  if ("http" in subject) return `h${subject.http.route}`;
  const { method, item, protocolVersion, listener } = subject.request;
  return `r${method.length} ${protocolVersion} ${listener} ${method}${item === undefined ? "" : `=${item}`}`;
}

/** The kinds as OTLP numbers them; those of the API begin with 0. */
const OTLP_KINDS = { [SpanKind.SERVER]: 2, [SpanKind.CLIENT]: 3 } as const;

/** Bits of `Span.flags` that say whether the parent is of another program. */
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

function flagsOf(parent: SpanParent | undefined): number {
  return TraceFlags.SAMPLED | HAS_IS_REMOTE | (parent?.isRemote ? IS_REMOTE : 0);
}

/** The parts of the text of a span that all spans of the same tool have. */
interface Description {
  /** The members `name` and `kind`. */
  readonly beginning: string;
  readonly attributes: string;
}

function described(subject: SpanSubject): Description {
  if ("call" in subject) {
    const { method, server, tool: item } = subject.call;
    const attributes = attributeTexts({
      "mcp.method.name": method,
      "mcp.proxy.server": server,
      ...itemAttributes(method, item),
    });
    return { beginning: beginningOf(spanName(method, item), SpanKind.CLIENT), attributes };
  }
  if ("http" in subject) {
    const { route } = subject.http;
    const [method, path] = route.split(" ");
    const attributes = attributeTexts({ "http.request.method": method, "http.route": path });
    return { beginning: beginningOf(route, SpanKind.SERVER), attributes };
  }
  const { method: sentMethod, item, protocolVersion, listener } = subject.request;
  const method = methodLabel(sentMethod);
  const attributes = attributeTexts({
    "mcp.method.name": method,
    "mcp.protocol.version": protocolVersion || undefined,
    "network.transport": transportLabel(listener) || undefined,
    ...itemAttributes(method, item),
  });
  return { beginning: beginningOf(spanName(method, item), SpanKind.SERVER), attributes };
}

function beginningOf(name: string, kind: keyof typeof OTLP_KINDS): string {
  return `"name":${JSON.stringify(name)},"kind":${OTLP_KINDS[kind]}`;
}

/** Writes attributes as the elements of a JSON array; at least one has a value. */
function attributeTexts(values: Readonly<Record<string, string | undefined>>): string {
  return JSON.stringify(attributesOf(values)).slice(1, -1);
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
function errorAttributes(errorType: string): string {
  return attributeTexts({
    "error.type": errorType,
    "rpc.response.status_code": /^-?\d+$/.test(errorType) ? errorType : undefined,
  });
}

/** 64-bit numbers are texts in the JSON of OTLP. Times are exact to the microsecond. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}
