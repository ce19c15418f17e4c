import { packageOf } from "#lib/client/setup/package-name.ts";
import { surveyRemarks } from "#lib/client/setup/survey-remarks.ts";
import type { ClientSurvey } from "#lib/core/schema/client-survey.ts";
import type { Table } from "../table.ts";

/** The servers of all clients, each once: where it was found, what it runs, and what is wrong with it. */
export function surveyTable({ servers, clients }: ClientSurvey): Table {
  return {
    columns: ["server", "in", "runs", "remarks"],
    whole: ["server", "remarks"],
    leaveOut: ["runs"],
    rows: servers.map((row) => [
      row.name,
      [...new Set(row.entries.map(({ client }) => client))].join(", "),
      row.url ?? packageOf(row),
      surveyRemarks(row)
        .map(({ kind, text }) => (kind === "problem" ? `broken: ${text}` : text))
        .join("; "),
    ]),
    empty:
      clients.length === 0
        ? "no MCP client has a configuration file on this machine"
        : "the clients' configuration files contain no servers",
  };
}
