import { isExecutable } from "../base/asset.ts";
import { reap } from "./reap.ts";

/** The hidden command of the program that runs the watchdog. */
export const WATCHDOG_COMMAND = "__watchdog";

/** Everything is gone within 5 s of the proxy's death: a moment to end by itself, a polite signal, an end. (ms) */
const TIMES = { graceMs: 1500, limitMs: 4500 };

/** How this very program starts its watchdog. */
export function watchdogCommand(): string[] {
  return isExecutable()
    ? [process.execPath, WATCHDOG_COMMAND]
    : [process.execPath, process.argv[1] ?? "", WATCHDOG_COMMAND];
}

/**
 * Main of a second, tiny process that outlives a killed proxy: it holds a pipe to the proxy and is told of each child
 * process; when the pipe closes without a farewell, it ends all of them and theirs. Never returns before that.
 *
 * Lines: `mark <prefix>`, `add <pid> <started>`, `del <pid>`, `bye`.
 */
export async function runWatchdog(input: NodeJS.ReadableStream = process.stdin): Promise<void> {
  // It ends with the proxy, not with the signals that are meant for it.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {});
  const leaders = new Map<number, string>();
  let markPrefix: string | undefined;
  let farewell = false;
  const obey = (line: string) => {
    const [word, first = "", ...rest] = line.split(" ");
    if (word === "mark") markPrefix = first;
    else if (word === "add") leaders.set(Number(first), rest.join(" "));
    else if (word === "del") leaders.delete(Number(first));
    else if (word === "bye") farewell = true;
  };
  await lines(input, obey);
  // Without a mark it was never told what to watch.
  if (!farewell && markPrefix) await reap({ leaders, markPrefix }, TIMES);
}

function lines(input: NodeJS.ReadableStream, each: (line: string) => void): Promise<void> {
  return new Promise((done) => {
    let rest = "";
    input.setEncoding("utf8");
    input.on("data", (chunk) => {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      parts.forEach(each);
    });
    input.on("end", done);
    input.on("error", () => done());
  });
}
