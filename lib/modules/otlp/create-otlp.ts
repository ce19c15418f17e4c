import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { createMutex } from "../../core/base/mutex.ts";
import { metrics } from "../metrics/state.ts";
import type { SendCounts } from "./create-sender.ts";
import type { OtlpExport } from "./open-otlp.ts";
import { SIGNALS, type Signal, signalUrl } from "./signal-url.ts";

/** What is sent to an OpenTelemetry collector, as the configuration and the environment want it. */
export interface Otlp {
  /** Follows the configuration. @returns a function that ends everything */
  start(): () => Promise<void>;
  /** Where each signal is sent, and what became of it; empty if nothing is sent. */
  status(): readonly OtlpStatus[];
  /** Why nothing is sent although the configuration wants it; undefined if nothing is wrong. */
  problem(): string | undefined;
}

interface OtlpStatus extends Readonly<SendCounts> {
  readonly signal: Signal;
  /** The URL, without what may be secret in it. */
  readonly url: string;
}

export function createOtlp(app: App): Otlp {
  const log = app.log.tagged("otlp");
  const mutex = createMutex();
  let exports: readonly OtlpExport[] = [];
  let applied = "";
  let problem: string | undefined;

  const apply = async (isClosing = false) => {
    const release = await mutex.hold();
    try {
      const settings = app.config.current().otlp;
      const isOn = !isClosing && app.boot.automatic && isAnySent(app);
      const key = isOn ? JSON.stringify(settings) : "";
      if (key === applied && problem === undefined) return;
      applied = key;
      problem = undefined;
      await Promise.all(exports.map((one) => one.close()));
      exports = [];
      if (!isOn) return;
      // The libraries are loaded only here, so that the program starts without them.
      const { openOtlp } = await import("./open-otlp.ts");
      exports = await openOtlp(app);
    } catch (error) {
      problem = reasonOf(error);
      log.error("nothing is sent to the collector; change otlp in the configuration", { reason: problem });
    } finally {
      release();
    }
  };

  const follow = () => log.catch("applying the configuration of the export to a collector", apply());

  return {
    start() {
      follow();
      const ends = [
        app.config.onChange((next, previous) => {
          if (next.otlp !== previous.otlp) follow();
        }),
        app.part(metrics).addSource(({ otlpSent, otlpLost }) => {
          otlpSent.reset();
          otlpLost.reset();
          for (const { signal, sender } of exports) {
            otlpSent.inc({ signal }, sender.counts.sent);
            otlpLost.inc({ signal }, sender.counts.lost);
          }
        }),
      ];
      return async () => {
        for (const end of ends) end();
        await apply(true);
      };
    },
    status: () => exports.map(({ signal, sender }) => ({ signal, url: shownUrl(sender.url), ...sender.counts })),
    problem: () => problem,
  };
}

function isAnySent(app: App): boolean {
  const { otlp } = app.config.current();
  return SIGNALS.some((signal) => otlp[signal] && signalUrl(signal, otlp.endpoint, app.boot.env) !== undefined);
}

/** The environment may give a URL with a secret in its user name, password or query. */
function shownUrl(url: string): string {
  if (!URL.canParse(url)) return "the endpoint of the environment";
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
