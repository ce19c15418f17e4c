import { command } from "../../command.ts";

/** How often new lines are asked for. (ms) */
const POLL_MS = 1000;

interface Line {
  timestamp: string;
  level: string;
  message: string;
}

export default command({
  meta: { description: "Show the log of an upstream server: its own words and what happened to its connection" },
  args: {
    name: { type: "positional", description: "server name" },
    tail: { type: "string", number: true, alias: "n", description: "how many lines (50)" },
    follow: { type: "boolean", alias: "f", description: "go on with new lines until Ctrl-C" },
  },
  async run({ cli, args }) {
    const read = async (tail: number) =>
      (
        await cli.call("GET /api/v1/servers/{name}/logs", {
          params: { name: args.name },
          query: { tail: String(tail) },
        })
      ).logs;
    let shown = await read(args.tail ?? 50);
    await cli.show(shown, () => shown.map(text).join("\n") || "nothing logged yet");
    if (!args.follow) return;
    const { systemClock } = await import("#lib/base/clock.ts");
    for (;;) {
      await systemClock.sleep(POLL_MS, cli.signal);
      const lines = await read(Math.max(500, shown.length));
      const fresh = after(shown, lines);
      if (fresh.length > 0) await cli.show(fresh, () => fresh.map(text).join("\n"));
      shown = lines;
    }
  },
});

const text = ({ timestamp, level, message }: Line) => `${timestamp} ${level.toUpperCase().padEnd(5)} ${message}`;

/** The lines of the second tail that come after the first one's last: both are windows on one growing log. */
export function after(before: readonly Line[], now: readonly Line[]): Line[] {
  const same = (a: Line | undefined, b: Line | undefined) => a?.timestamp === b?.timestamp && a?.message === b?.message;
  for (let end = now.length; end > 0; end--) {
    const overlap = Math.min(end, before.length, 20);
    let equal = 0;
    while (equal < overlap && same(now[end - 1 - equal], before[before.length - 1 - equal])) equal++;
    if (equal === overlap && equal > 0) return now.slice(end);
  }
  return [...now];
}
