import { plural } from "#lib/core/base/plural.ts";
import type { Cli } from "../cli.ts";
import { quoted } from "../self.ts";
import type { ClientChange, ConnectedClient } from "./connect-clients.ts";

/** What a setup did. */
interface SetupResult {
  imported: string[];
  failed: { name: string; error: string }[];
  secrets_stored: number;
  released: string[];
  not_working: { name: string; error: string }[];
  clients: ConnectedClient[];
  decisions: number;
  seconds: number;
}

/** Describes the result of a setup, what is left to do, and how to take the changes back. */
export function setupSummary({ self }: Pick<Cli, "self">, result: SetupResult, change: ClientChange): string {
  const { imported, failed, secrets_stored: secrets, released, not_working: broken, clients } = result;
  const waiting = imported.filter((name) => !released.includes(name) && !broken.some((one) => one.name === name));
  const undo = clients.flatMap((one) => one.undo);
  return [
    `${plural(imported.length, "server")} imported, ${released.length} released${secrets > 0 ? `, ${plural(secrets, "secret")} moved out of plain text` : ""}`,
    ...failed.map(({ name, error }) => `not imported: ${name}: ${error}`),
    ...broken.map(
      ({ name, error }) => `does not work: ${name}: ${error || "it lists no tools"}; see: ${self} logs ${quoted(name)}`,
    ),
    ...(waiting.length > 0
      ? [
          `waiting for review: ${waiting.join(", ")}; see: ${self} review`,
          ...(change === "move"
            ? [`the clients keep their entries of these; after the review run: ${self} setup --all --move`]
            : []),
        ]
      : []),
    ...clients.map(clientText),
    ...(undo.length > 0 ? [`to restore the clients' files: ${undo.join(" && ")}`] : []),
    `${plural(result.decisions, "decision")}, ${result.seconds} s`,
  ].join("\n");
}

function clientText({ client, removed, connected, error }: ConnectedClient): string {
  if (error !== undefined) return `${client} was not changed completely: ${error}`;
  const entries = removed.length > 0 ? `; removed from its file: ${removed.join(", ")}` : "";
  return `${client} ${connected ? "uses the proxy" : "is not connected"}${entries}; restart it if it runs`;
}
