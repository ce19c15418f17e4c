import { type Clock, systemClock } from "#lib/core/base/clock.ts";
import type { Screen } from "./output.ts";
import { plain } from "./table.ts";
import { cut, width } from "./width.ts";

/** Shows progress at a terminal; without one it prints nothing. */
export interface Spinner {
  /** Whether it is visible. */
  readonly seen: boolean;
  /** Sets the text beside it. */
  say(text: string): void;
  /** Prints lines above it that remain. */
  print(lines: string): void;
  /** Removes it. */
  stop(): void;
}

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** Interval between frames (ms). */
const TURN_MS = 100;

export function spinner(screen: Screen, clock: Clock = systemClock): Spinner {
  const { columns, color } = screen;
  if (columns === undefined) return { seen: false, say() {}, print: (lines) => screen.write(lines), stop() {} };
  const from = clock.now();
  let text = "";
  let turns = 0;
  let lineWidth = 0;
  /** Overwrites with spaces, which work on every terminal, instead of an escape sequence. */
  const clear = () => {
    if (lineWidth > 0) screen.write(`\r${" ".repeat(lineWidth)}\r`);
    lineWidth = 0;
  };
  const draw = () => {
    const frame = FRAMES[turns++ % FRAMES.length]!;
    const line = cut(`${text} (${Math.floor((clock.now() - from) / 1000)} s)`, columns - 3);
    const short = " ".repeat(Math.max(0, lineWidth - width(line) - 2));
    screen.write(`\r${color ? `\x1b[36m${frame}\x1b[39m` : frame} ${line}${short}`);
    lineWidth = Math.max(lineWidth, width(line) + 2);
  };
  const end = clock.every(TURN_MS, draw);
  return {
    seen: true,
    say(now) {
      text = plain(now);
    },
    print(lines) {
      clear();
      screen.write(lines);
    },
    stop() {
      end();
      clear();
    },
  };
}
