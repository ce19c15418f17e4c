import type { App } from "../../core/app.ts";
import { durationMs, rfc3339 } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { RetryLater } from "../sinks/destination.ts";
import type { ChannelStatus } from "./channel-status.ts";
import type { ChannelConfig } from "./config.ts";
import { messageOf } from "./message.ts";
import { NOTICE_SEVERITIES, type Notice } from "./notice.ts";
import { isQuietAt } from "./quiet-hours.ts";
import { PartlySent } from "./sender.ts";
import { senderOf } from "./sender-of.ts";

/** A channel that sends notices until it is closed. */
export interface RunningChannel {
  /** Queues a notice if the channel is for its kind and severity. Never throws, never waits. */
  add(notice: Notice): void;
  status(): ChannelStatus;
  /** @param how.keep false: stores nothing any more, because another replica has gone on */
  close(how?: { keep: boolean }): Promise<void>;
}

/** How long notices gather before they are sent together (ms). */
const GATHER_MS = 1000;
/** How often the end of the quiet hours and of a digest is examined (ms). */
const EXAMINE_MS = 15_000;
/** Time limit of one message (ms). */
const SEND_TIMEOUT_MS = 30_000;
/** Waits after failures (ms). */
const RETRY_MS = { least: 5000, most: 900_000 };
/** After failures for this time a notice is dropped and counted as lost (ms). */
const MAX_FAILING_MS = 86_400_000;
/** Maximum number of waiting notices; of further ones, the least severe and oldest is dropped and counted as lost. */
const MAX_WAITING = 200;
/** Maximum number of notices in one message. */
const MAX_TOGETHER = 20;

/** Sends the notices of one channel. Those that wait are stored, so that they survive a restart. */
export function runChannel(app: App, channel: ChannelConfig): RunningChannel {
  const { clock, store } = app;
  const log = app.log.tagged(`notifications ${channel.name}`);
  const key = `notifications/${channel.name}`;
  const end = new AbortController();
  const digestMs = durationMs(channel.digest) ?? 0;
  let waiting: Notice[] = [];
  let lost = { count: 0, lastAt: 0 };
  let wake = () => {};
  let [sent, failures] = [0, 0];
  let lastSent: number | undefined;
  let problem: string | undefined;
  /** When the first of the failed attempts was, which may be before a restart. */
  let failingSince: number | undefined;
  /** True while the notices of a digest that are too many for one message follow in further ones. */
  let isDigestOpen = false;

  const isQuiet = () => isQuietAt(clock.now(), channel.quiet_hours, channel.time_zone);
  const save = async () => {
    await store.documents
      .set(key, {
        waiting,
        lost,
        ...(lastSent !== undefined && { lastSent }),
        ...(failingSince !== undefined && { failingSince }),
      })
      .catch((error: unknown) => log.debug("the waiting notices were not stored", { error }));
  };
  const load = async () => {
    const stored = await store.documents.get(key);
    if (!isJsonObject(stored)) return;
    waiting = [...((stored.waiting ?? []) as unknown as Notice[]), ...waiting];
    lost = { ...lost, ...(stored.lost as unknown as typeof lost) };
    if (typeof stored.lastSent === "number") lastSent = stored.lastSent;
    if (typeof stored.failingSince === "number") failingSince = stored.failingSince;
  };
  const lose = (count: number, reason: string) => {
    lost = { count: lost.count + count, lastAt: clock.now() };
    log.warn(`${count} notification(s) were not sent and are lost`, { reason });
  };
  /** Drops what could not be sent for a day. The time in which a digest or quiet hours held it back does not count. */
  const dropOld = (since: number, reason: string) => {
    const before = waiting.length;
    waiting = waiting.filter(({ at }) => clock.now() - Math.max(at, since) < MAX_FAILING_MS);
    if (waiting.length < before) lose(before - waiting.length, reason);
  };
  const isWithinDigest = () => {
    const sinceMs = lastSent === undefined ? digestMs : clock.now() - lastSent;
    // A negative time means that the clock was set back.
    return sinceMs >= 0 && sinceMs < digestMs;
  };
  /** Returns the notices that may be sent now. */
  const due = (): Notice[] => {
    if (!isDigestOpen && isWithinDigest()) return [];
    const ready = isQuiet() ? waiting.filter(({ severity }) => severity === "critical") : waiting;
    isDigestOpen = ready.length > MAX_TOGETHER;
    return ready.slice(0, MAX_TOGETHER);
  };
  const sendDue = async (notices: readonly Notice[]) => {
    const refusal = await send(app, channel, { notices, signal: end.signal }).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof PartlySent) return error;
        throw error;
      },
    );
    waiting = waiting.filter((notice) => !notices.includes(notice));
    sent += notices.length;
    lastSent = clock.now();
    if (refusal && problem !== refusal.message) log.warn("some recipients get no notifications", { error: refusal });
    else if (problem !== undefined && !refusal) log.info("notifications are sent again");
    [failures, problem, failingSince] = [0, refusal?.message, undefined];
    await save();
  };
  const run = async () => {
    await load().catch((error: unknown) => log.warn("the waiting notices cannot be read", { error }));
    while (!end.signal.aborted) {
      const rest = new AbortController();
      wake = () => rest.abort();
      const notices = due();
      try {
        if (notices.length > 0) await sendDue(notices);
        else {
          await clock.sleep(EXAMINE_MS, AbortSignal.any([end.signal, rest.signal])).catch(() => undefined);
          await clock.sleep(GATHER_MS, end.signal);
        }
      } catch (error) {
        if (end.signal.aborted) return;
        if (problem === undefined) log.warn("a notification was not sent; the proxy keeps trying", { error });
        problem = reasonOf(error);
        failingSince ??= clock.now();
        dropOld(failingSince, problem);
        await save();
        const waitMs = error instanceof RetryLater ? error.afterMs : RETRY_MS.least * 2 ** Math.min(failures++, 16);
        await clock.sleep(Math.min(waitMs, RETRY_MS.most), end.signal).catch(() => undefined);
      }
    }
  };
  const running = run();

  return {
    add(notice) {
      if (!channel.kinds.includes(notice.kind)) return;
      if (rank(notice) < NOTICE_SEVERITIES.indexOf(channel.min_severity)) return;
      const same = waiting.find((one) => one.key === notice.key);
      if (same) waiting = waiting.map((one) => (one === same ? { ...notice, count: one.count + notice.count } : one));
      else waiting = [...waiting, notice];
      if (waiting.length > MAX_WAITING) {
        const dropped = leastImportant(waiting);
        waiting = waiting.filter((one) => one !== dropped);
        lose(1, "too many notices wait");
      }
      log.catch("storing the waiting notices", save());
      wake();
    },
    status: () => ({
      name: channel.name,
      type: channel.type,
      state: problem !== undefined ? "failing" : isQuiet() ? "quiet" : "ready",
      ...(problem !== undefined && { problem }),
      waiting: waiting.length,
      sent,
      lost: lost.count,
      ...(lost.count > 0 && { last_lost_at: rfc3339(lost.lastAt) }),
      ...(lastSent !== undefined && { last_sent_at: rfc3339(lastSent) }),
    }),
    async close({ keep } = { keep: true }) {
      end.abort();
      await running;
      if (keep) await save();
    },
  };
}

const rank = ({ severity }: Notice) => NOTICE_SEVERITIES.indexOf(severity);

/** Returns the oldest notice of the lowest severity, so that many unimportant ones displace none that is critical. */
function leastImportant(notices: readonly Notice[]): Notice | undefined {
  const lowest = Math.min(...notices.map(rank));
  return notices.find((notice) => rank(notice) === lowest);
}

/** Sends a test message. @throws why it was not sent */
export async function testChannel(app: App, channel: ChannelConfig, signal: AbortSignal): Promise<void> {
  await send(app, channel, { notices: [testNotice(channel.name, app.clock.now())], signal });
}

async function send(
  app: App,
  channel: ChannelConfig,
  { notices, signal }: { notices: readonly Notice[]; signal: AbortSignal },
): Promise<void> {
  const sender = await senderOf(channel);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]);
  await sender(app, channel, messageOf(app, notices), limit);
}

const testNotice = (name: string, at: number): Notice => ({
  key: "test",
  kind: "server",
  severity: "info",
  title: "This is a test",
  text: `The channel ${name} works.`,
  path: "/",
  at,
  count: 1,
});
