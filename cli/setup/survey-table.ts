import type { ClientSurvey } from "#lib/core/schema/client-survey.ts";
import type { Table } from "../table.ts";

type Row = ClientSurvey["servers"][number];

/** The servers of all clients, each once: where it was found, what it runs, and what is wrong with it. */
export function surveyTable({ servers, clients }: ClientSurvey): Table {
  return {
    columns: ["server", "in", "runs", "remarks"],
    whole: ["server", "remarks"],
    leaveOut: ["runs"],
    rows: servers.map((row) => [
      row.name,
      [...new Set(row.entries.map(({ client }) => client))].join(", "),
      row.url ?? [row.command, ...(row.args ?? [])].join(" "),
      remarksOf(row).join("; "),
    ]),
    empty:
      clients.length === 0
        ? "no MCP client has a configuration file on this machine"
        : "the clients' configuration files contain no servers",
  };
}

function remarksOf({ configured, entries, secrets, problem, warnings }: Row): string[] {
  return [
    ...(problem === undefined ? [] : [`broken: ${problem}`]),
    ...(configured ? ["already in the proxy"] : []),
    ...(entries.length > 1 ? [`configured ${entries.length} times`] : []),
    ...(secrets.length > 0 ? [`secret in plain text: ${secrets.join(", ")}`] : []),
    ...warnings,
  ];
}
