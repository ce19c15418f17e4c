import type { ServerRecord } from "#lib/core/schema/server-record.ts";
import { askChoice, askYes } from "../ask.ts";
import type { Cli } from "../cli.ts";
import { definitionText } from "../definition-text.ts";
import { noteStillWaiting, nothingListed } from "../release-server.ts";
import { scanText } from "../scan-text.ts";
import type { WaitingServer } from "./list-waiting.ts";
import { reviewItem } from "./review-item.ts";
import { reviewTool } from "./review-tool.ts";

/** The number of decisions of each kind. */
interface Tally {
  approved: number;
  blocked: number;
  skipped: number;
}

/** Reviews one server and its waiting tools, prompts and resources. @returns `quit` if the person wants to stop */
export async function reviewServer(cli: Cli, waiting: WaitingServer, tally: Tally): Promise<"next" | "quit"> {
  const { server, state, why, tools, items } = waiting;
  cli.note(`\n== ${server.name} (${state}) ==\n${definitionText(server)}`);
  if (state === "held") return reviewHeld(cli, server, tally);
  if (state === "quarantined" && server.tool_count === 0 && items.length === 0) {
    cli.note(nothingListed(cli, server));
    tally.skipped++;
    return "next";
  }
  if (server.last_error !== undefined) cli.note(`It is not connected: ${why}`);
  if (tools.length > 0) await showInstructions(cli, server.name);
  for (const [at, tool] of tools.entries()) {
    const answer = await reviewTool(cli, tool, `${at + 1} of ${tools.length}`);
    if (answer === "quit") return "quit";
    count(tally, answer);
  }
  for (const [at, item] of items.entries()) {
    const answer = await reviewItem(cli, item, `${at + 1} of ${items.length}`);
    if (answer === "quit") return "quit";
    count(tally, answer);
  }
  if (state === "quarantined") await offerRelease(cli, server.name);
  return "next";
}

function count(tally: Tally, answer: "approve" | "block" | "skip"): void {
  if (answer === "approve") tally.approved++;
  else if (answer === "block") tally.blocked++;
  else tally.skipped++;
}

/** Shows the server's instructions, which models read like tool descriptions. */
async function showInstructions(cli: Cli, name: string): Promise<void> {
  const { instructions } = await cli.call("GET /api/v1/servers/{name}/tools", { params: { name } });
  if (!instructions) return;
  cli.note(`instructions:\n${instructions.text.replace(/^/gm, "  ")}`);
  if (instructions.scan.findings.length > 0) cli.note(scanText(instructions.scan));
}

async function reviewHeld(cli: Cli, { name, revision }: ServerRecord, tally: Tally): Promise<"next" | "quit"> {
  cli.note("It was added or changed over MCP. It is not started until you confirm it.");
  const answer = await askChoice(["skip", "confirm", "remove", "quit"], "quit", cli);
  if (answer === "quit") return "quit";
  if (answer === "skip") tally.skipped++;
  else if (answer === "remove") {
    await cli.call("DELETE /api/v1/servers/{name}", { params: { name } });
    cli.note(`removed ${name}`);
    tally.blocked++;
  } else {
    await cli.call("POST /api/v1/servers/{name}/confirm", { params: { name }, body: { revision } });
    cli.note(`confirmed ${name}; it starts for review and stays quarantined`);
    tally.approved++;
  }
  return "next";
}

/** Offers to release the server. It approves no further tools, because each was decided separately. */
async function offerRelease(cli: Cli, name: string): Promise<void> {
  if (!(await askYes(`Release "${name}", so that clients can use what is approved of it?`, cli))) {
    cli.note(`${name} stays quarantined`);
    return;
  }
  const { release } = await cli.call("POST /api/v1/servers/{name}/unquarantine", {
    params: { name },
    body: { pins: {}, items: [], accept_findings: [] },
  });
  cli.note(`released ${name}`);
  noteStillWaiting(cli, name, release);
}
