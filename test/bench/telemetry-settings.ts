import { KEY } from "./programs.ts";

export interface TelemetrySettings {
  readonly metrics: { readonly enabled: boolean };
  readonly otlp: object;
}

/** Neither metrics nor traces. */
export const OFF: TelemetrySettings = { metrics: { enabled: false }, otlp: { endpoint: "", metrics: false } };

/** What is switched on, by the name of the row. */
export const TELEMETRY = (collector: string): Readonly<Record<string, TelemetrySettings>> => {
  const traces = (ratio: number) => ({ ...OFF, otlp: { endpoint: collector, metrics: false, sample_ratio: ratio } });
  return {
    metrics: { ...OFF, metrics: { enabled: true } },
    "traces-0": traces(0),
    "traces-10": traces(0.1),
    "traces-100": traces(1),
  };
};

export const TELEMETRY_ROWS = Object.keys(TELEMETRY(""));

export const HEADERS = { "x-api-key": KEY };

export async function configureTelemetry(url: string, settings: TelemetrySettings): Promise<void> {
  const headers = { ...HEADERS, "content-type": "application/json" };
  const init = { method: "PATCH", headers, body: JSON.stringify(settings) };
  const { status } = await fetch(`${url}/api/v1/config`, init);
  if (status !== 200) throw new Error(`the configuration is not changed: status ${status}`);
}

export async function checkMetrics(url: string, { metrics }: TelemetrySettings): Promise<void> {
  const { ok, status } = await fetch(`${url}/metrics`, { headers: HEADERS });
  if (ok !== metrics.enabled) throw new Error(`GET /metrics answers ${status}`);
}
