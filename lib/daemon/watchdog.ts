import { endProcesses } from "../core/upstream/stdio/end-processes.ts";
import { engineApi } from "../modules/isolation/container/api.ts";
import type { EngineAddress } from "../modules/isolation/container/engine-address.ts";
import { removeRun } from "../modules/isolation/container/remove.ts";
import { createLeaseDeadlines } from "./lease-deadlines.ts";

/** All processes end within 5 s after the proxy: time to end by themselves, then SIGTERM, then SIGKILL (ms). */
const TIMES = { graceMs: 1500, limitMs: 4500 };

/** Number of consecutive checks without a container, because the engine may still be creating one. */
const LOOKS = 3;
/** Interval between checks, and total time (ms). */
const LOOK_MS = 500;
const LOOK_LIMIT_MS = 15_000;

/**
 * Main of a second process that outlives a killed proxy. It holds a pipe to the proxy and learns of each child process;
 * when the pipe closes without a farewell, it ends all of them and their descendants. It removes the containers of the
 * run in either case, because an engine may still have been busy with them. Resolves after that.
 *
 * Orders: those of `watchdog.sh`, without `tag`, `engine <run> <place as JSON>`, and those of `lease-deadlines.ts`.
 */
export async function runWatchdog(input: NodeJS.ReadableStream = process.stdin): Promise<void> {
  // It ends with the proxy and ignores signals that are meant for the proxy.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {});
  const leaders = new Map<number, string>();
  const engines: { run: string; place: EngineAddress }[] = [];
  let markPrefix: string | undefined;
  let farewell = false;
  const deadlines = createLeaseDeadlines(() => Promise.all(engines.map(({ run, place }) => removed(place, run))));
  const obey = (line: string) => {
    const [word, first = "", ...rest] = line.split(" ");
    if (word === "mark") markPrefix = [first, ...rest].join(" ");
    else if (word === "add") leaders.set(Number(first), rest.join(" "));
    else if (word === "del") {
      leaders.delete(Number(first));
      deadlines.forget(Number(first));
    } else if (word === "lease") deadlines.extend(first, Number(rest[0]));
    else if (word === "hold") deadlines.hold(Number(first), rest[0] ?? "");
    else if (word === "engine") engines.push({ run: first, place: JSON.parse(rest.join(" ")) as EngineAddress });
    else if (word === "bye") farewell = true;
  };
  const read = lines(input, obey);
  // The proxy may have ended already.
  process.stdout.on("error", () => {});
  process.stdout.write("ready\n");
  await read;
  await Promise.all([
    // Without a mark, the proxy sent no orders.
    !farewell && markPrefix && endProcesses({ leaders, markPrefix }, TIMES),
    // Their deadlines still count meanwhile, because another replica may start them then.
    !farewell && deadlines.endAll(TIMES),
    ...engines.map(({ run, place }) => (farewell ? removed(place, run) : allRemoved(place, run))),
  ]);
  deadlines.close();
}

/** @returns the number of containers; undefined if the engine does not respond */
const removed = (place: EngineAddress, run: string) => removeRun(engineApi(place), run).catch(() => undefined);

async function allRemoved(place: EngineAddress, run: string): Promise<void> {
  const began = Date.now();
  for (let none = 0; none < LOOKS && Date.now() - began < LOOK_LIMIT_MS; ) {
    none = (await removed(place, run)) === 0 ? none + 1 : 0;
    if (none < LOOKS) await new Promise((done) => setTimeout(done, LOOK_MS));
  }
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
