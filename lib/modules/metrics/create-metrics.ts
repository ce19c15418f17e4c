import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { createMutex } from "../../core/base/mutex.ts";
import { connectSupervisor } from "../../core/extension/supervisor.ts";
import type { Collector, MetricsSource } from "./collector.ts";
import { Fault } from "./faults.ts";
import { type MetricsListener, openMetricsListener } from "./listener.ts";
import { labelWorker, mergeMetrics } from "./merge-worker-metrics.ts";

/** The metrics, as the configuration wants them. */
export interface Metrics {
  /** Follows the configuration. @returns a function that ends everything */
  start(): () => Promise<void>;
  /** Returns all metrics in the text format of Prometheus. @throws Fault metrics_disabled */
  text(): Promise<string>;
  /**
   * Measures, whether or not `/metrics` is enabled, for a program that reads otherwise.
   *
   * @returns a function that ends that
   */
  demand(): () => void;
  /** Returns what measures; undefined if nothing does. */
  collector(): Collector | undefined;
  /** Adds metrics that another module counts. @returns a function that removes them */
  addSource(source: MetricsSource): () => void;
  /** Why the additional listener is not open; undefined if it is, or if none is configured. */
  problem(): string | undefined;
  /** The address of the additional listener, with its port. */
  listenAddr(): string | undefined;
}

export function createMetrics(app: App): Metrics {
  const log = app.log.tagged("metrics");
  const mutex = createMutex();
  let collector: Collector | undefined;
  let hasToolLabels = false;
  let listener: MetricsListener | undefined;
  let applied = "";
  let problem: string | undefined;
  let demands = 0;
  const sources = new Set<MetricsSource>();
  /** The listener is opened with the program's other listeners: commands that only read have none. */
  let isServing = false;

  const text = async () => {
    if (!collector || !app.config.current().metrics.enabled) throw new Fault("metrics_disabled");
    return supervisor ? mergeMetrics(await supervisor.allMetrics()) : collector.text();
  };
  /** The metrics of this worker, for the worker that was asked for those of all. */
  const ownText = async () => (collector ? labelWorker(await collector.text(), app.boot.worker!.number) : "");
  const supervisor = app.boot.worker && connectSupervisor(ownText);

  const measure = async (isEnabled: boolean, withToolLabels: boolean) => {
    if (collector && (!isEnabled || withToolLabels !== hasToolLabels)) {
      collector.close();
      collector = undefined;
    }
    if (!isEnabled || collector) return;
    // prom-client is loaded only here, so that the program starts without it.
    const { createCollector } = await import("./collector.ts");
    hasToolLabels = withToolLabels;
    collector = createCollector(app, { hasToolLabels, sources });
  };

  const serve = async (address: string, tokenText: string) => {
    const key = JSON.stringify([address, tokenText]);
    if (key === applied && problem === undefined) return;
    applied = key;
    problem = undefined;
    const former = listener;
    listener = undefined;
    await former?.close();
    if (address === "") return;
    try {
      const token = await app.secrets.resolve(tokenText);
      const { trusted_hosts } = app.config.current();
      listener = await openMetricsListener({ address, token, trustedHosts: trusted_hosts, text, log });
      log.info(`metrics are served at http://${listener.address}/metrics`);
    } catch (error) {
      problem = reasonOf(error);
      log.error(`the listener for metrics at ${address} is not open; change metrics.listen or metrics.token`, {
        reason: problem,
      });
    }
  };

  const apply = async (isClosing = false) => {
    const release = await mutex.hold();
    try {
      const { enabled, listen, token, tool_labels } = app.config.current().metrics;
      const isOpen = !isClosing && app.boot.automatic;
      const isEnabled = enabled && isOpen;
      await measure(isOpen && (enabled || demands > 0), tool_labels);
      await serve(isEnabled && isServing ? listen : "", token);
    } finally {
      release();
    }
  };
  const follow = () => log.catch("applying the configuration of the metrics", apply());

  return {
    start() {
      follow();
      const ends = [
        app.config.onChange((next, previous) => {
          if (next.metrics !== previous.metrics) follow();
        }),
        app.events.subscribe(["activity.system.start"], () => {
          isServing = true;
          follow();
        }),
      ];
      return async () => {
        for (const end of ends) end();
        await apply(true);
      };
    },
    text,
    demand() {
      demands++;
      follow();
      return () => {
        demands--;
        follow();
      };
    },
    collector: () => collector,
    addSource(source) {
      sources.add(source);
      return () => sources.delete(source);
    },
    problem: () => problem,
    listenAddr: () => listener?.address,
  };
}
