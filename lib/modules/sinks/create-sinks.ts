import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { createMutex } from "../../core/base/mutex.ts";
import { nearestWords } from "../../core/base/nearest.ts";
import type { MetricsSource } from "../metrics/collector.ts";
import { metrics } from "../metrics/state.ts";
import type { SinkConfig } from "./config.ts";
import { Fault } from "./faults.ts";
import type { RunningSink } from "./run-sink.ts";
import type { SinkStatus } from "./sink-status.ts";

/** The sinks, as the configuration wants them. */
export interface Sinks {
  /** Follows the configuration. @returns a function that ends all deliveries */
  start(): () => Promise<void>;
  /** Returns the state of each sink, in the order of the configuration. */
  list(): Promise<SinkStatus[]>;
  /** Delivers a test record. @throws Fault no_such_record, sink_unreachable */
  test(name: string, signal: AbortSignal): Promise<void>;
}

interface Running {
  readonly sink: RunningSink;
  readonly settings: string;
}

export function createSinks(app: App): Sinks {
  const mutex = createMutex();
  const running = new Map<string, Running>();

  const wanted = (): SinkConfig[] => app.config.current().sinks.filter(({ enabled }) => enabled);
  const apply = async (isClosing = false) => {
    const release = await mutex.hold();
    try {
      // Commands that only read deliver nothing.
      const sinks = isClosing || !app.boot.automatic ? [] : wanted();
      const settings = new Map(sinks.map((sink) => [sink.name, JSON.stringify(sink)]));
      const ended = [...running].filter(([name, one]) => settings.get(name) !== one.settings);
      for (const [name] of ended) running.delete(name);
      await Promise.all(ended.map(([, { sink }]) => sink.close()));
      const added = sinks.filter(({ name }) => !running.has(name));
      if (added.length === 0) return;
      const { runSink } = await import("./run-sink.ts");
      for (const sink of added)
        running.set(sink.name, { sink: runSink(app, sink), settings: settings.get(sink.name)! });
    } finally {
      release();
    }
  };
  const follow = () => app.log.catch("applying the configuration of the sinks", apply());

  const setMetrics: MetricsSource = async ({ sinkRecords, sinkWaiting, sinkUp }) => {
    const states = await Promise.all([...running.values()].map(({ sink }) => sink.ownStatus()));
    for (const metric of [sinkRecords, sinkWaiting, sinkUp]) metric.reset();
    for (const { name, state, waiting, ...counts } of states) {
      // Another replica measures what it delivers.
      if (state === "standby") continue;
      for (const outcome of ["delivered", "lost", "rejected"] as const)
        sinkRecords.inc({ sink: name, outcome }, counts[outcome]);
      sinkWaiting.set({ sink: name }, waiting);
      sinkUp.set({ sink: name }, state === "failing" ? 0 : 1);
    }
  };

  return {
    start() {
      if (wanted().length > 0) follow();
      const ends = [
        app.config.onChange((next, previous) => {
          if (next.sinks !== previous.sinks) follow();
        }),
        app.part(metrics).addSource(setMetrics),
      ];
      return async () => {
        for (const end of ends) end();
        await apply(true);
      };
    },
    list: () =>
      Promise.all(
        app.config
          .current()
          .sinks.map(async (sink): Promise<SinkStatus> => (await running.get(sink.name)?.sink.status()) ?? idle(sink)),
      ),
    async test(name, signal) {
      const one = running.get(name);
      if (!one)
        throw new Fault("no_such_record", {
          what: "enabled sink",
          id: name,
          near: nearestWords(name, running.keys(), 2),
        });
      try {
        await one.sink.test(signal);
      } catch (error) {
        throw new Fault("sink_unreachable", { sink: name, reason: reasonOf(error) }, { cause: error });
      }
    },
  };
}

const idle = ({ name, type, records }: SinkConfig): SinkStatus => ({
  name,
  type,
  records,
  state: "disabled",
  waiting: 0,
  delivered: 0,
  lost: 0,
  rejected: 0,
});
