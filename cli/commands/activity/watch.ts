import { events } from "#lib/client/events.ts";
import { systemClock } from "#lib/core/base/clock.ts";
import { command } from "../../command.ts";
import { eventLine, isOf, serverOf } from "../../event-line.ts";
import { data, jsonText } from "../../output.ts";
import { untilStopped } from "../../watch.ts";

/** Says that something was missed; shown whatever is asked for. */
const GAP = "gap";

export default command({
  meta: {
    description: "Watch what happens, as it happens, until Ctrl-C",
    detail:
      "One line for each event; with -o json one JSON object a line. A lost connection is made again and goes on where it was.",
    examples: ["proxy activity watch", "proxy activity watch -t tool_call.completed,policy_decision -s git --json"],
  },
  args: {
    type: {
      type: "string",
      alias: "t",
      valueHint: "types",
      description: "such as tool_call, policy_decision or servers.changed, with commas between (all activity)",
    },
    server: { type: "string", alias: "s", valueHint: "name", description: "only about this server" },
  },
  async run({ cli, args }) {
    const types = (args.type ?? "activity").split(",").flatMap((type) => type.trim() || []);
    const { stream, signal } = cli;
    const onLost = (reason: string) => cli.note(`${reason}; trying again`);
    return untilStopped(cli, async () => {
      for await (const heard of events({ stream, signal, clock: systemClock, onLost })) {
        const wanted = isOf(heard, types) && (args.server === undefined || serverOf(heard) === args.server);
        if (wanted || heard.event === GAP) cli.stdout.write(await shown(cli.globals.output, heard));
      }
    });
  },
});

async function shown(form: "table" | "json" | "yaml", heard: Parameters<typeof eventLine>[0]): Promise<string> {
  if (form === "table") return `${eventLine(heard)}\n`;
  const { event, id } = heard;
  const object = { event, id, ...heard.data };
  return form === "yaml" ? `---\n${await data("yaml", object)}` : `${jsonText(object)}\n`;
}
