import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** A span as OTLP writes it in JSON, with its attributes as one object. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 2: SERVER, 3: CLIENT. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly traceState?: string;
}

/** A receiver of OTLP over HTTP. */
export interface Collector {
  readonly url: string;
  /** All spans so far. */
  readonly spans: readonly ReceivedSpan[];
  /** The bodies as received, by path. */
  readonly bodies: { readonly traces: readonly string[]; readonly metrics: readonly string[] };
  /** The headers of the newest request. */
  headers(): Readonly<Record<string, unknown>>;
}

/** @param answer replaces the successful answer */
export async function startCollector(
  t: TestContext,
  answer = (response: ServerResponse): unknown => response.writeHead(200).end("{}"),
): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies = { traces: [] as string[], metrics: [] as string[] };
  let headers = {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = String(Buffer.concat(chunks));
    headers = { ...request.headers, ":path": request.url };
    if (request.url?.endsWith("/v1/metrics")) bodies.metrics.push(text);
    else {
      bodies.traces.push(text);
      spans.push(...spansIn(text));
    }
    answer(response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, bodies, headers: () => headers };
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function spansIn(text: string): ReceivedSpan[] {
  const spans: ReceivedSpan[] = [];
  for (const { scopeSpans } of JSON.parse(text).resourceSpans)
    for (const scope of scopeSpans)
      for (const span of scope.spans) spans.push({ ...span, attributes: attributesOf(span.attributes) });
  return spans;
}

function attributesOf(attributes: readonly OtlpAttribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
