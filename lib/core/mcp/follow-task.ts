import type { App } from "../app.ts";
import { upstreamFor } from "../gateway/upstream-for.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { Caller } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { TaskHandle } from "./task-handles.ts";

interface FollowedTask {
  readonly caller: Caller;
  readonly handle: TaskHandle;
  /** Aborted when it is over, from either side. */
  readonly over: AbortController;
  /** The status that the client knows. */
  readonly knownStatus: unknown;
  /** @returns the task as its client is shown it; undefined when nobody listens just now */
  look(): Promise<McpObject | undefined>;
  report(task: McpObject): void;
}

/** Changes within this time are one report. (ms) */
const SETTLE_MS = 50;

const ENDED: ReadonlySet<unknown> = new Set(["completed", "failed", "cancelled"]);

/** Longest time that a task is followed. (ms) */
const MAX_FOLLOW_MS = 24 * 3_600_000;

/**
 * Has a task reported to its client when its server says that it changed. What the client gets is what a look at the task
 * gives at that moment, so the same decision and the same treatment apply, and the server's own notification is not passed
 * on. It ends with the task, when a look fails, since the client may have lost access, and after a day.
 *
 * Resolves when the server agreed.
 *
 * @throws Fault user_connect_needed, server_not_ready; RpcError, UpstreamError the server does not agree
 */
export async function followTask(app: App, followed: FollowedTask): Promise<void> {
  const { caller, handle, over, knownStatus, look, report } = followed;
  const { server = "" } = splitToolId(handle.id) ?? {};
  const { signal } = over;
  const end = () => over.abort();
  let stopTimer: (() => void) | undefined;
  let isReporting = false;
  let isDue = false;
  const run = async () => {
    isReporting = true;
    isDue = false;
    try {
      const task = await look();
      if (task && !signal.aborted) report(task);
      if (task && ENDED.has(task.status)) end();
    } catch {
      end();
    }
    isReporting = false;
    if (isDue) schedule();
  };
  const schedule = () => {
    if (signal.aborted) return;
    isDue = true;
    if (isReporting) return;
    stopTimer ??= app.clock.after(SETTLE_MS, () => {
      stopTimer = undefined;
      void run();
    });
  };
  const stopDay = app.clock.after(MAX_FOLLOW_MS, end);
  const whenOver = (act: () => void) => {
    if (signal.aborted) act();
    else signal.addEventListener("abort", act, { once: true });
  };
  whenOver(() => {
    stopTimer?.();
    stopDay();
  });
  try {
    const upstream = await upstreamFor(app, caller, server, signal);
    const unwatch = await upstream.watchTask(handle.taskId, schedule);
    whenOver(unwatch);
    if (signal.aborted) return;
    // Its server does not report what happened before it agreed.
    const now = await look();
    if (now && now.status !== knownStatus && !signal.aborted) report(now);
    if (now && ENDED.has(now.status)) end();
  } catch (error) {
    const isEnded = signal.aborted;
    end();
    if (!isEnded) throw error;
  }
}
