import { reasonOf } from "#lib/core/base/fault.ts";
import { plural } from "#lib/core/base/plural.ts";
import type { ServerRecord } from "#lib/core/schema/server-record.ts";
import type { Cli } from "../cli.ts";
import { noteStillWaiting, type PreparedRelease, prepareRelease } from "../release-server.ts";
import { listWaiting } from "../review/list-waiting.ts";
import { reviewServer } from "../review/review-server.ts";
import { graveFindings } from "../waiting-tools.ts";
import type { Decisions } from "./decisions.ts";

/**
 * Shows the tools of new servers and releases the servers: those without severe findings at once, or tool by tool. Only
 * what was shown is approved. A server with severe findings stays in quarantine until a person reviews it.
 *
 * @param yes release without asking
 * @returns names of the servers that were released
 */
export async function reviewServers(
  cli: Cli,
  servers: readonly ServerRecord[],
  { decisions, yes }: { decisions: Decisions; yes: boolean },
): Promise<string[]> {
  const waiting = servers.filter(({ quarantined, tool_count, enabled }) => enabled && quarantined && tool_count > 0);
  if (waiting.length === 0) return [];
  const prepared = await Promise.all(
    waiting.map(({ name }) => prepareRelease(cli, name, { acceptRisk: [], acceptInstructions: false })),
  );
  cli.note(`\nTools of the new servers:\n${prepared.map(serverText).join("\n")}`);
  const harmless = prepared.filter(({ left }) => left.length === 0);
  const question =
    harmless.length > 0
      ? `Approve these tools and release ${plural(harmless.length, "server")}? A server with severe findings stays in quarantine until you review it.`
      : "Every server has severe findings. Review them now?";
  const choices = harmless.length > 0 ? (["approve", "review", "later"] as const) : (["review", "later"] as const);
  const answer = yes ? "approve" : await decisions.choose(question, choices, "later");
  if (answer === "later") return [];
  return answer === "approve" ? release(cli, harmless) : reviewEach(cli, prepared, decisions);
}

/** The tools that a release approves, by name, or the findings that keep the server in quarantine. */
function serverText({ server, approved, left }: PreparedRelease): string {
  if (left.length === 0) return `  ${server.name}: ${approved.map(({ name }) => name).join(", ")}`;
  const rules = (one: (typeof left)[number]) => [...new Set(graveFindings(one).map(({ rule }) => rule))].join(", ");
  const findings = left.map((one) => `${one.name} (${rules(one) || "changed"})`).join(", ");
  return `  ${server.name} stays in quarantine because of severe findings: ${findings}`;
}

async function release(cli: Cli, prepared: readonly PreparedRelease[]): Promise<string[]> {
  const released: string[] = [];
  for (const { server, body } of prepared) {
    const { name } = server;
    try {
      const done = await cli.call("POST /api/v1/servers/{name}/unquarantine", { params: { name }, body });
      noteStillWaiting(cli, name, done.release);
      released.push(name);
    } catch (error) {
      if (cli.signal.aborted) throw error;
      cli.note(`${name} was not released: ${reasonOf(error)}`);
    }
  }
  return released;
}

async function reviewEach(cli: Cli, prepared: readonly PreparedRelease[], decisions: Decisions): Promise<string[]> {
  const tally = { approved: 0, blocked: 0, skipped: 0 };
  const names = prepared.map(({ server }) => server.name);
  for (const one of await listWaiting(cli, names)) if ((await reviewServer(cli, one, tally)) === "quit") break;
  decisions.add(tally.approved + tally.blocked + tally.skipped);
  const { servers } = await cli.call("GET /api/v1/servers", {});
  return servers.filter(({ name, quarantined }) => names.includes(name) && !quarantined).map(({ name }) => name);
}
