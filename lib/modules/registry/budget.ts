import type { App } from "../../core/app.ts";

/** Runs some work with a signal that aborts after `ms`. */
export async function withBudget<T>(
  { clock }: Pick<App, "clock">,
  ms: number,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const cancel = clock.after(ms, () => over.abort(new Error(`no response within ${ms / 1000} seconds`)));
  try {
    return await work(AbortSignal.any([signal, over.signal]));
  } finally {
    cancel();
  }
}
