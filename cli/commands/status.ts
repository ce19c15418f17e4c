import { pendingDecisionsText } from "#lib/core/verbs/servers/pending-decisions.ts";
import type { Cli } from "../cli.ts";
import { command } from "../command.ts";
import { WATCH, watch } from "../watch.ts";

export default command({
  meta: { group: "run", description: "Show whether the proxy is running and its status" },
  args: WATCH,
  async run({ cli, args }) {
    if (args.watch) return watch(cli, { on: ["servers", "tools", "config"], ages: true }, show);
    await show(cli);
  },
});

async function show(cli: Cli): Promise<void> {
  const status = await cli.call("GET /api/v1/status", {});
  await cli.show(status, ({ version, uptime, listen_addr, servers, tools, waiting, config_problem, store_problem }) =>
    [
      `proxy ${version} is ${status.status}, up ${upTime(uptime)}${listen_addr && `, at ${listen_addr}`}`,
      `servers: ${servers.connected} of ${servers.total} connected, ${servers.quarantined} in quarantine`,
      `tools:   ${tools.total}`,
      ...[pendingDecisionsText(waiting)].flatMap((text) =>
        text === undefined ? [] : [`waiting: ${text}; see: ${cli.self} review`],
      ),
      ...(config_problem ? [`the last edit of the configuration file was rejected: ${config_problem}`] : []),
      ...(store_problem ? [store_problem] : []),
    ].join("\n"),
  );
}

/** Formats seconds in the two largest units. */
export function upTime(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [Math.floor(seconds) % 60, "s"],
  ];
  const largest = parts.findIndex(([n]) => n > 0);
  const units = largest < 0 ? parts.slice(-1) : parts.slice(largest, largest + 2);
  return units.map(([n, unit]) => `${n} ${unit}`).join(" ");
}
