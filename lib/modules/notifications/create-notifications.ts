import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { createMutex } from "../../core/base/mutex.ts";
import { nearestWords } from "../../core/base/nearest.ts";
import { whenAborted } from "../../core/base/when-aborted.ts";
import { replicaSharing } from "../../core/extension/replica-sharing.ts";
import { soleWork } from "../../core/extension/sole-work.ts";
import type { MetricsSource } from "../metrics/collector.ts";
import { metrics } from "../metrics/state.ts";
import type { ChannelStatus } from "./channel-status.ts";
import type { ChannelConfig } from "./config.ts";
import { Fault } from "./faults.ts";
import type { RunningChannel } from "./run-channel.ts";

/** The notifications, as the configuration wants them. */
export interface Notifications {
  /** Follows the configuration. @returns a function that ends everything */
  start(): () => Promise<void>;
  /** Returns the state of each channel, in the order of the configuration. */
  list(): ChannelStatus[];
  /** Sends a test message. @throws Fault no_such_record, notification_failed */
  test(name: string, signal: AbortSignal): Promise<void>;
}

interface Running {
  readonly channel: RunningChannel;
  readonly settings: string;
}

export function createNotifications(app: App): Notifications {
  const mutex = createMutex();
  const closing = new AbortController();
  /** Whether this replica is the one that notifies. */
  let isActive = false;
  const running = new Map<string, Running>();
  let stopWatching: (() => Promise<void>) | undefined;

  const configured = (): ChannelConfig[] => app.config.current().notifications.channels;
  const apply = async ({ keep } = { keep: true }) => {
    const release = await mutex.hold();
    try {
      const channels = isActive ? enabled() : [];
      if (channels.length === 0) {
        await stopWatching?.();
        stopWatching = undefined;
      }
      const settings = new Map(channels.map((channel) => [channel.name, JSON.stringify(channel)]));
      const ended = [...running].filter(([name, one]) => settings.get(name) !== one.settings);
      for (const [name] of ended) running.delete(name);
      await Promise.all(ended.map(([, { channel }]) => channel.close({ keep })));
      if (channels.length === 0) return;
      const [{ runChannel }, { watchConditions }] = await Promise.all([
        import("./run-channel.ts"),
        import("./watch-conditions.ts"),
      ]);
      for (const channel of channels)
        if (!running.has(channel.name))
          running.set(channel.name, { channel: runChannel(app, channel), settings: settings.get(channel.name)! });
      stopWatching ??= watchConditions(app, (notice) => {
        for (const { channel } of running.values()) channel.add(notice);
      });
    } finally {
      release();
    }
  };
  const enabled = () => configured().filter((channel) => channel.enabled);
  const notify = async (signal: AbortSignal) => {
    isActive = true;
    await apply();
    await whenAborted(signal);
    isActive = false;
    // After a loss, what waits belongs to another replica.
    await apply({ keep: closing.signal.aborted });
  };
  const follow = () => app.log.catch("applying the configuration of the notifications", apply());

  const setMetrics: MetricsSource = ({ notices, channelUp }) => {
    notices.reset();
    channelUp.reset();
    for (const { channel } of running.values()) {
      const { name, state, ...counts } = channel.status();
      for (const outcome of ["sent", "lost"] as const) notices.inc({ channel: name, outcome }, counts[outcome]);
      channelUp.set({ channel: name }, state === "failing" ? 0 : 1);
    }
  };

  return {
    start() {
      // Commands that only read notify nobody.
      const notifying = app.boot.automatic
        ? app.part(soleWork).run("notifications", notify, closing.signal)
        : Promise.resolve();
      app.log.catch("notifying", notifying);
      const ends = [
        app.config.onChange((next, previous) => {
          if (next.notifications !== previous.notifications) follow();
        }),
        app.part(metrics).addSource(setMetrics),
      ];
      return async () => {
        for (const end of ends) end();
        closing.abort();
        await notifying;
      };
    },
    list: () => configured().map((channel) => running.get(channel.name)?.channel.status() ?? idle(app, channel)),
    async test(name, signal) {
      const channel = enabled().find((one) => one.name === name);
      if (!channel) {
        const names = enabled().map((one) => one.name);
        const near = nearestWords(name, names, 2);
        throw new Fault("no_such_record", { what: "enabled notification channel", id: name, near });
      }
      try {
        const { testChannel } = await import("./run-channel.ts");
        await testChannel(app, channel, signal);
      } catch (error) {
        throw new Fault("notification_failed", { channel: name, reason: reasonOf(error) }, { cause: error });
      }
    },
  };
}

const idle = (app: App, { name, type, enabled }: ChannelConfig): ChannelStatus => ({
  name,
  type,
  state: enabled && app.part(replicaSharing) ? "standby" : "disabled",
  waiting: 0,
  sent: 0,
  lost: 0,
});
