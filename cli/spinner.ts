import { type Clock, systemClock } from "#lib/core/base/clock.ts";
import type { Screen } from "./output.ts";
import { plain } from "./table.ts";
import { cut, width } from "./width.ts";

/** Shows on a terminal that something goes on; elsewhere it draws nothing. */
export interface Spinner {
  /** False where nobody sees it. */
  readonly seen: boolean;
  /** What stands beside it from now on. */
  say(text: string): void;
  /** Writes lines that stay, above it. */
  print(lines: string): void;
  /** Takes it away. */
  stop(): void;
}

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** How often it turns. (ms) */
const TURN_MS = 100;

export function spinner(screen: Screen, clock: Clock = systemClock): Spinner {
  const { columns, color } = screen;
  if (columns === undefined) return { seen: false, say() {}, print: (lines) => screen.write(lines), stop() {} };
  const from = clock.now();
  let text = "";
  let turns = 0;
  let drawn = 0;
  /** Spaces instead of an escape sequence: they work on every terminal. */
  const clear = () => {
    if (drawn > 0) screen.write(`\r${" ".repeat(drawn)}\r`);
    drawn = 0;
  };
  const draw = () => {
    const frame = FRAMES[turns++ % FRAMES.length]!;
    const line = cut(`${text} (${Math.floor((clock.now() - from) / 1000)} s)`, columns - 3);
    const short = " ".repeat(Math.max(0, drawn - width(line) - 2));
    screen.write(`\r${color ? `\x1b[36m${frame}\x1b[39m` : frame} ${line}${short}`);
    drawn = Math.max(drawn, width(line) + 2);
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
