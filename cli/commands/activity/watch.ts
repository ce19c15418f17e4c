import { events } from "#lib/client/events.ts";
import { systemClock } from "#lib/core/base/clock.ts";
import { nearestWords } from "#lib/core/base/nearest.ts";
import { command } from "../../command.ts";
import { eventLine, isOf, objectOf, serverOf } from "../../event-line.ts";
import { UsageError } from "../../exit.ts";
import { data, jsonText } from "../../output.ts";
import { untilStopped } from "../../watch.ts";

/** The event for missed events, shown whatever the filter. */
const GAP = "gap";

export default command({
  meta: {
    description: "Print events as they happen, until Ctrl-C",
    detail:
      "Prints one line per event, or one JSON object per line with -o json. After a lost connection, the command reconnects and continues where it stopped.",
    examples: ["proxy activity watch", "proxy activity watch -t tool_call.completed,policy_decision -s git --json"],
  },
  args: {
    type: {
      type: "string",
      alias: "t",
      valueHint: "types",
      description: "event types such as tool_call, policy_decision or servers.changed, comma-separated (all activity)",
    },
    server: {
      type: "string",
      alias: "s",
      names: "servers",
      valueHint: "name",
      description: "only events of this server",
    },
  },
  async run({ cli, args }) {
    const types = (args.type ?? "activity").split(",").flatMap((type) => type.trim() || []);
    await checkTypes(types);
    const { stream, signal } = cli;
    const onLost = (reason: string) => cli.note(`${reason}; reconnecting`);
    return untilStopped(cli, async () => {
      for await (const event of events({ stream, signal, clock: systemClock, onLost })) {
        const isWanted = isOf(event, types) && (args.server === undefined || serverOf(event) === args.server);
        if (isWanted || event.event === GAP) cli.stdout.write(await rendered(cli.globals.output, event));
      }
    });
  },
});

/** @throws UsageError for a type that no event has, because the command would wait for it without end */
async function checkTypes(types: readonly string[]): Promise<void> {
  const { EVENT_TYPES } = await import("#lib/core/api/event-stream/event-filter.ts");
  const known = [...new Set(EVENT_TYPES.flatMap((type) => [type, type.replace(/^activity\./, "")]))];
  for (const type of types)
    if (!known.includes(type))
      throw new UsageError(`--type: unknown event type "${type}"`, nearestWords(type, known, 2));
}

async function rendered(form: "table" | "json" | "yaml", heard: Parameters<typeof eventLine>[0]): Promise<string> {
  if (form === "table") return `${eventLine(heard)}\n`;
  const { event, id } = heard;
  const object = { event, id, ...objectOf(heard.data) };
  return form === "yaml" ? `---\n${await data("yaml", object)}` : `${jsonText(object)}\n`;
}
