import * as v from "valibot";
import { calculate } from "./calculate.ts";
import { type DemoTool, demoTool } from "./tool.ts";
import { convert, UNITS } from "./units.ts";

const pure = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** The tools of the demo server that have no state. */
export const demoTools = (): DemoTool[] => [calculator, clockNow, textStats, unitConvert, countdown];

const calculator = demoTool("calculator", {
  title: "Calculator",
  description: "Calculate: evaluate an arithmetic expression such as `2 * (3 + 4) ^ 2` or `sqrt(2) * pi`.",
  annotations: pure,
  input: v.object({ expression: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)) }),
  output: v.object({ expression: v.string(), result: v.number() }),
  run: ({ expression }) => ({ expression, result: calculate(expression) }),
});

const clockNow = demoTool("clock_now", {
  title: "Current time",
  description: "Current date and time, in UTC and in a time zone such as `Europe/Berlin`.",
  annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: false },
  input: v.object({ timezone: v.optional(v.pipe(v.string(), v.description("IANA name; default: UTC")), "UTC") }),
  run({ timezone }, { clock }) {
    const now = new Date(clock.now());
    try {
      const local = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, dateStyle: "full", timeStyle: "long" });
      return `${now.toISOString()}\n${local.format(now)}`;
    } catch {
      throw new Error(`unknown time zone "${timezone}"; use an IANA name such as Europe/Berlin`);
    }
  },
});

const textStats = demoTool("text_stats", {
  title: "Text statistics",
  description: "Count characters, words, lines and sentences of a text.",
  annotations: pure,
  input: v.object({ text: v.pipe(v.string(), v.maxLength(1_000_000)) }),
  output: v.object({ characters: v.number(), words: v.number(), lines: v.number(), sentences: v.number() }),
  run: ({ text }) => ({
    characters: [...text].length,
    words: text.match(/\S+/g)?.length ?? 0,
    lines: text === "" ? 0 : text.split(/\r\n|\r|\n/).length,
    sentences: text.match(/[^.!?。！？]+(?:[.!?。！？]+|$)/g)?.filter((s) => s.trim()).length ?? 0,
  }),
});

const unitConvert = demoTool("unit_convert", {
  title: "Convert units",
  description: `Convert a length, mass, time, volume, data size, speed or temperature. Units: ${UNITS.join(", ")}.`,
  annotations: pure,
  input: v.object({ value: v.number(), from: v.string(), to: v.string() }),
  run: ({ value, from, to }) => `${value} ${from} = ${convert(value, from, to)} ${to}`,
});

const countdown = demoTool("countdown", {
  title: "Countdown",
  description: "Count down whole seconds, reporting progress each second. Shows a slow call; it can be cancelled.",
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: v.object({ seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60)), 5) }),
  async run({ seconds }, { clock, signal, progress }) {
    for (let done = 0; done < seconds; done++) {
      progress({ progress: done, total: seconds, message: `${seconds - done} s left` });
      await clock.sleep(1000, signal);
    }
    progress({ progress: seconds, total: seconds, message: "done" });
    return `waited ${seconds} s`;
  },
});
