import { parseKeyPairsIntoRecord } from "@opentelemetry/core";
import type { App } from "../../core/app.ts";
import { type Signal, signalUrl } from "./signal-url.ts";

/** Default of the specification for `OTEL_EXPORTER_OTLP_TIMEOUT` (ms). */
const TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 120_000;

/** Where and how one signal is sent. */
export interface SenderSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum time of one request (ms). */
  readonly timeoutMs: number;
}

/**
 * Reads the settings of a signal; undefined if it is not sent.
 *
 * @throws Fault if a header refers to a secret that does not exist
 */
export async function senderSettings(app: App, signal: Signal): Promise<SenderSettings | undefined> {
  const { env } = app.boot;
  const { endpoint, headers: configured, [signal]: isOn } = app.config.current().otlp;
  const url = isOn ? signalUrl(signal, endpoint, env) : undefined;
  if (url === undefined) return undefined;
  const of = (name: string) =>
    env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${name}`] ?? env[`OTEL_EXPORTER_OTLP_${name}`];
  // The headers of the environment belong to the endpoint of the environment.
  const headers: Record<string, string> = endpoint === "" ? parseKeyPairsIntoRecord(of("HEADERS")) : {};
  for (const [name, value] of Object.entries(configured)) headers[name] = await app.secrets.resolve(value);
  const timeoutMs = Math.min(Math.max(0, Number(of("TIMEOUT"))) || TIMEOUT_MS, MAX_TIMEOUT_MS);
  return { url, headers, timeoutMs };
}
