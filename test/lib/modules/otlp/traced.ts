import type { TestContext } from "node:test";
import { traffic } from "#lib/core/extension/traffic.ts";
import { otlp } from "#lib/modules/otlp/state.ts";
import { type Served, serve } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { type Collector, type ReceivedSpan, startCollector } from "./collector.ts";

type Options = NonNullable<Parameters<typeof serve>[1]>;

interface Traced extends Served {
  readonly collector: Collector;
}

/** Serves a proxy whose traces, and nothing else, go to a collector. */
export async function traced(t: TestContext, options: Options = {}, settings: object = {}): Promise<Traced> {
  const collector = await startCollector(t);
  const config = { ...options.config, otlp: { endpoint: collector.url, metrics: false, ...settings } };
  const served = await serve(t, { connect: true, ...options, config });
  await until("tracing", () => served.app.part(traffic).tracer !== undefined);
  return { ...served, collector };
}

/** Ends the export, which sends what is left, and returns the spans that the collector received. */
export async function received({ app, collector }: Traced): Promise<readonly ReceivedSpan[]> {
  await app.config.update((draft) => {
    draft.otlp = { ...draft.otlp, endpoint: "" };
  }, "test");
  await until("the end of the traces", () => app.part(otlp).status().length === 0);
  return collector.spans;
}
