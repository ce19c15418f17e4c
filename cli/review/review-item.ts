import { ITEM_WORDS } from "#lib/core/schema/item.ts";
import type { ItemEntry } from "#lib/core/schema/item-entry.ts";
import { askChoice } from "../ask.ts";
import type { Cli } from "../cli.ts";
import { lineDiff } from "../line-diff.ts";
import { scanText } from "../scan-text.ts";
import { stillWaitingItemsText } from "../waiting-items.ts";
import { graveFindings } from "../waiting-tools.ts";
import { typedName } from "./typed-name.ts";

type ItemDecision = "approve" | "block" | "skip" | "quit";

/**
 * Shows one waiting prompt, resource or template in full, with its changes and findings, and carries out the decision,
 * as `reviewTool` does for a tool.
 */
export async function reviewItem(cli: Cli, entry: ItemEntry, place: string): Promise<ItemDecision> {
  const { kind, name, server_name: server } = entry;
  const params = { name: server };
  const { noun, plural } = ITEM_WORDS[kind];
  const diff = await cli.call("GET /api/v1/servers/{name}/items/diff", { params, query: { kind, item: name } });
  const isChanged = diff.previous !== "" && diff.previous !== diff.current;
  cli.note(`\n-- ${noun} ${server}:${name} (${place} ${plural}, ${isChanged ? "changed" : "new"}) --`);
  cli.note(isChanged ? lineDiff(diff.previous, diff.current) : diff.current.replace(/^/gm, "  "));
  if (diff.scan) cli.note(scanText(diff.scan));
  const answer = await askChoice(["approve", "block", "skip", "quit"], "quit", cli);
  if (answer === "block") {
    await cli.call("POST /api/v1/servers/{name}/items/block", { params, body: { kinds: [kind], names: [name] } });
    return "block";
  }
  if (answer !== "approve") return answer;
  const isGrave = graveFindings(diff).length > 0;
  if (isGrave && !(await typedName(cli, name, "The scan has findings of high or critical severity."))) return "skip";
  const { approved, pending } = await cli.call("POST /api/v1/servers/{name}/items/approve", {
    params,
    body: { kinds: [kind], names: [name], pins: { [name]: diff.current_hash }, accept_findings: isGrave ? [name] : [] },
  });
  if (pending.length > 0) cli.note(`still pending:\n${stillWaitingItemsText(pending)}`);
  return approved.length > 0 ? "approve" : "skip";
}
