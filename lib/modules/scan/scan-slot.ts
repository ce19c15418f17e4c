import type { App } from "../../core/app.ts";
import { stateOf } from "./state.ts";

/** Maximum number of concurrent scans; further ones wait. */
const AT_ONCE = 2;

/** Runs some work when a slot is free. @throws the reason of `signal` */
export async function withScanSlot<T>(app: App, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await turn(app, signal);
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    giveTurn(app);
  }
}

async function turn(app: App, signal: AbortSignal): Promise<void> {
  const state = stateOf(app);
  if (state.active >= AT_ONCE) {
    await new Promise<void>((go, fail) => {
      const mine = () => {
        signal.removeEventListener("abort", leave);
        go();
      };
      const leave = () => {
        state.turns.splice(state.turns.indexOf(mine), 1);
        fail(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      state.turns.push(mine);
    });
  } else {
    signal.throwIfAborted();
    state.active++;
  }
}

/** Gives a free slot to the work that has waited longest. */
function giveTurn(app: App): void {
  const state = stateOf(app);
  const next = state.turns.shift();
  if (next) next();
  else state.active--;
}
