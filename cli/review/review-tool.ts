import type { ToolEntry } from "#lib/core/schema/tool-entry.ts";
import { askChoice } from "../ask.ts";
import type { Cli } from "../cli.ts";
import { lineDiff } from "../line-diff.ts";
import { scanText } from "../scan-text.ts";
import { graveFindings, stillWaitingText } from "../waiting-tools.ts";
import { typedName } from "./typed-name.ts";

type ToolDecision = "approve" | "block" | "skip" | "quit";

/**
 * Shows one waiting tool in full, with its changes and findings, and carries out the decision.
 *
 * The person must accept a severe finding by typing the tool's name. The approval contains the pin that was shown, so a
 * tool that changes meanwhile remains pending.
 */
export async function reviewTool(cli: Cli, tool: ToolEntry, place: string): Promise<ToolDecision> {
  const { name, server_name: server } = tool;
  const params = { name: server, tool: name };
  const diff = await cli.call("GET /api/v1/servers/{name}/tools/{tool}/diff", { params });
  cli.note(`\n-- ${server}:${name} (${place}, ${diff.status === "changed" ? "changed" : "new"}) --`);
  cli.note(textOf(diff));
  if (diff.scan) cli.note(scanText(diff.scan));
  const answer = await askChoice(["approve", "block", "skip", "quit"], "quit", cli);
  if (answer === "block") {
    await cli.call("POST /api/v1/servers/{name}/tools/block", { params: { name: server }, body: { tools: [name] } });
    return "block";
  }
  if (answer !== "approve") return answer;
  const accepted: string[] = [];
  if (graveFindings(diff).length > 0) {
    if (!(await typedName(cli, name, "The scan has findings of high or critical severity."))) return "skip";
    accepted.push(name);
  }
  let done = await approve(cli, server, name, diff.current_hash, accepted);
  const instructionFindings = done.pending?.find(({ tool, reason }) => tool === name && reason === "instructions");
  if (instructionFindings) {
    const rules = instructionFindings.findings?.map(({ rule }) => rule).join(", ");
    const question = `The scan has findings of high or critical severity in the server's instructions (${rules}).`;
    if (!(await typedName(cli, "instructions", question))) return "skip";
    done = await approve(cli, server, name, diff.current_hash, accepted, true);
  }
  if (done.pending) cli.note(stillWaitingText(cli, server, done.pending));
  return done.tools.includes(name) ? "approve" : "skip";
}

function approve(
  cli: Cli,
  server: string,
  tool: string,
  pin: string,
  accept_findings: string[],
  accept_instructions = false,
) {
  return cli.call("POST /api/v1/servers/{name}/tools/approve", {
    params: { name: server },
    body: { tools: [tool], pins: { [tool]: pin }, accept_findings, accept_instructions },
  });
}

/** Renders every member that an approval covers; for a changed tool with the changed lines marked. */
function textOf(diff: Record<string, unknown>): string {
  const members: [label: string, key: string][] = [
    ["title", "title"],
    ["description", "description"],
    ["input schema", "schema"],
    ["output schema", "output_schema"],
    ["annotations", "annotations"],
    ["icons", "icons"],
    ["_meta", "meta"],
  ];
  return members
    .flatMap(([label, key]) => {
      const [before, now] = [String(diff[`previous_${key}`] ?? ""), String(diff[`current_${key}`] ?? "")];
      if (now === "" && before === "") return [];
      const text = diff.status === "changed" && before !== now ? lineDiff(before, now) : indented(now);
      return [`${label}:\n${text}`];
    })
    .join("\n");
}

const indented = (text: string) => text.replace(/^/gm, "  ");
