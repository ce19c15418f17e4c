import type { App } from "../app.ts";
import { upstreamFor } from "../gateway/upstream-for.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { Caller } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { TaskHandle } from "./task-handles.ts";

interface FollowedTask {
  readonly caller: Caller;
  readonly handle: TaskHandle;
  /** Aborted when following ends, by the client or the server. */
  readonly over: AbortController;
  /** The last status that was sent to the client. */
  readonly knownStatus: unknown;
  /** Requests the task. @returns the task in the form for the client; undefined if no client listens now */
  look(): Promise<McpObject | undefined>;
  report(task: McpObject): void;
}

/** Changes within this time are combined to one report. (ms) */
const SETTLE_MS = 50;

const ENDED: ReadonlySet<unknown> = new Set(["completed", "failed", "cancelled"]);

/** Maximum time for which a task is followed. (ms) */
const MAX_FOLLOW_MS = 24 * 3_600_000;

/**
 * Reports a task to its client whenever its server notifies a change. The proxy does not pass on the server's
 * notification but requests the task, so that access and content are checked as for a request of the client. Following
 * ends with the task, after a failed request (the client may have lost access), and after a day.
 *
 * Resolves when the server has accepted.
 *
 * @throws Fault user_connect_needed, server_not_ready
 * @throws RpcError, UpstreamError if the server does not accept
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
    // The server does not report changes from before it accepted.
    const now = await look();
    if (now && now.status !== knownStatus && !signal.aborted) report(now);
    if (now && ENDED.has(now.status)) end();
  } catch (error) {
    const isEnded = signal.aborted;
    end();
    if (!isEnded) throw error;
  }
}
