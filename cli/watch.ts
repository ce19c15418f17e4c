import { events } from "#lib/client/events.ts";
import { type Clock, systemClock } from "#lib/core/base/clock.ts";
import { Fault } from "#lib/core/base/fault.ts";
import type { Cli } from "./cli.ts";
import type { Args } from "./command.ts";
import { isOf } from "./event-line.ts";
import { EXIT } from "./exit.ts";
import { data, jsonText, output, type Screen } from "./output.ts";

/** The flag of commands that can refresh their output. */
export const WATCH = {
  watch: { type: "boolean", alias: "w", description: "show the result again after each change, until Ctrl-C" },
} as const satisfies Args;

interface Watched {
  /** Event types, or prefixes of types, that change the output. */
  on: readonly string[];
  /** The output contains ages, which change with time alone; without a terminal such changes are not printed. */
  ages?: true;
}

/** Events at which the output is refreshed: the stream starts or restarts, or events were missed. */
const ANEW = ["status", "gap"];
const HEARTBEAT = "ping";
/** Events within this time cause one refresh (ms). */
const GATHER_MS = 200;

/**
 * Shows output and refreshes it whenever an event may have changed it, until Ctrl-C (spec 000 §6). At a terminal it is
 * redrawn in place; otherwise each new state follows the previous one.
 */
export async function watch(
  cli: Cli,
  { on, ages }: Watched,
  draw: (cli: Cli) => Promise<unknown>,
  clock: Pick<Clock, "after" | "sleep"> = systemClock,
): Promise<number> {
  const { stream, signal, stdout } = cli;
  const inPlace = stdout.columns !== undefined && cli.globals.output === "table" && cli.env.TERM !== "dumb";
  const present = inPlace ? createRedraw(stdout) : appended(stdout);
  const state: { due: boolean; over: boolean; wake(): void } = { due: false, over: false, wake() {} };
  const listen = async () => {
    for await (const event of events({
      stream,
      signal,
      types: on,
      clock,
      onLost: (why) => cli.note(`${why}; reconnecting`),
    })) {
      const beat = event.event === HEARTBEAT && (inPlace || !ages);
      if (!beat && !isOf(event, [...ANEW, ...on])) continue;
      state.due = true;
      state.wake();
    }
  };
  const listening = listen().finally(() => {
    state.over = true;
    state.wake();
  });
  // Awaited at the end; this prevents an unhandled rejection before.
  listening.catch(() => {});
  return untilStopped(cli, async () => {
    while (!state.over) {
      if (!state.due) await new Promise<void>((wake) => Object.assign(state, { wake }));
      if (state.over) break;
      state.due = false;
      const page = await captured(cli, draw);
      if (page !== undefined) present(page);
      await clock.sleep(GATHER_MS, signal);
    }
    await listening;
  });
}

/** Runs endless work that Ctrl-C ends without an error. */
export async function untilStopped({ signal }: Pick<Cli, "signal">, endless: () => Promise<void>): Promise<number> {
  try {
    await endless();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return EXIT.ok;
}

/**
 * The current output of a command: a text, a JSON line, or a YAML document. Undefined while the proxy is not reachable.
 */
async function captured(cli: Cli, draw: (cli: Cli) => Promise<unknown>): Promise<string | undefined> {
  const form = cli.globals.output;
  let text = "";
  const { columns, color } = cli.stdout;
  const page: Screen = { write: (more) => (text += more), color, ...(columns !== undefined && { columns }) };
  const show: Cli["show"] = async (value) =>
    page.write(form === "json" ? `${jsonText(value)}\n` : `---\n${await data("yaml", value)}`);
  try {
    await draw({ ...cli, ...output(form, page, cli.stderr), ...(form !== "table" && { show }), stdout: page });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    cli.note(`${error.message}; retrying`);
    return undefined;
  }
  return text;
}

const HOME = "\x1b[H";
const REST_OF_LINE = "\x1b[K";
const REST_OF_SCREEN = "\x1b[J";

/**
 * Draws over the previous output without clearing it first, so that nothing flickers; lines that do not fit are
 * omitted.
 */
function createRedraw(screen: Screen): (text: string) => void {
  let before = "\x1b[2J";
  return (text) => {
    const lines = text.trimEnd().split("\n");
    const { rows = Number.POSITIVE_INFINITY } = screen;
    const room = Math.max(1, rows - 1);
    const visibleLines =
      lines.length <= room ? lines : [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more`];
    screen.write(`${before}${HOME}${visibleLines.map((line) => `${line}${REST_OF_LINE}\n`).join("")}${REST_OF_SCREEN}`);
    before = "";
  };
}

/** Prints the output after the previous one if it changed. */
function appended(screen: Screen): (text: string) => void {
  let last: string | undefined;
  return (text) => {
    if (text !== last) screen.write(text);
    last = text;
  };
}
