import { reasonOf } from "#lib/core/base/fault.ts";
import { type Command, command, type Meta } from "./command.ts";
import { EXIT } from "./exit.ts";
import { splitTool } from "./ids.ts";
import { RISK_ARG } from "./release-server.ts";

/** Declares a command that enables or disables tools. It reports each failure and then exits with 1. */
export function toolSwitch(spec: { meta: Meta; enabled: boolean }): Command {
  const { meta, enabled } = spec;
  const word = enabled ? "enabled" : "disabled";
  return command({
    meta,
    args: {
      tools: { type: "positional", names: "tools", description: "server:tool", many: true },
      ...(enabled ? RISK_ARG : {}),
    },
    async run({ cli, args }) {
      const requested = args.tools.map((id) => ({ id, ...splitTool(id) }));
      const accept_findings = "accept-risk" in args ? (args["accept-risk"] as string[]) : [];
      const route = "POST /api/v1/servers/{name}/tools/{tool}/enabled";
      const requests = requested.map(({ id, server, tool }) =>
        cli
          .call(route, { params: { name: server, tool }, body: { enabled, ...(enabled && { accept_findings }) } })
          .then(
            () => ({ tool: id, ok: true, message: `${id}: ${word}` }),
            (error) => {
              if (requested.length === 1) throw error;
              return { tool: id, ok: false, message: `${id}: ${reasonOf(error)}` };
            },
          ),
      );
      const rows = await Promise.all(requests);
      await cli.show(rows, () => rows.map(({ message }) => message).join("\n"));
      return rows.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
    },
  });
}
