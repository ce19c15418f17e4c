import { useState } from "preact/hooks";
import type { Data } from "../api.ts";
import { graveOf } from "../parts/findings.tsx";
import { useChoice } from "./choices.tsx";
import { type Item, itemKey } from "./item-choices.tsx";
import type { ReviewAct } from "./review-words.ts";
import type { Candidate } from "./tool-choices.tsx";

/** What a server lists. */
export type Listed = Data<"GET /api/v1/servers/{name}/tools"> & {
  /** Prompts, resources and templates. */
  readonly items: readonly Item[];
};

/** What the person decided: exactly the definitions on the screen, and the findings ticked by name. */
export interface ReviewDecision {
  readonly pins: Record<string, string>;
  readonly accept_findings: string[];
  readonly accept_instructions: boolean;
  readonly items: { kind: Item["kind"]; name: string; pin: string; accept_findings: boolean }[];
}

const isGrave = ({ scan }: Pick<Candidate, "scan">) => graveOf(scan).length > 0;

/** What there is to decide about, what is selected so far, and the decision that follows from it. */
export function useReviewDecision({ tools, items, instructions }: Listed, act: ReviewAct) {
  const openTools = tools.filter((tool) => !tool.disabled && !tool.config_denied);
  const changedTools = openTools.filter((tool) => tool.approval_status === "changed");
  const candidates = openTools.filter(
    ({ approval_status: status }) => status === "pending_approval" || (act === "approve tools" && status === "changed"),
  );
  const choice = useChoice(candidates, ({ name }) => name);
  const openItems = items.filter((item) => !item.disabled);
  const itemCandidates = openItems.filter((item) => item.approval_status === "pending_approval");
  const changedItems = openItems.filter((item) => item.approval_status === "changed");
  const itemChoice = useChoice(itemCandidates, itemKey);
  const [isAccepted, setAccepted] = useState(false);

  const isSuspect = graveOf(instructions?.scan).length > 0;
  /** No tool is approved while the findings in the instructions are not accepted. */
  const isStopped = isSuspect && !isAccepted;
  const selectedTools = isStopped ? [] : choice.shown.filter(({ name }) => choice.ticked.has(name));
  const selectedItems = itemChoice.shown.filter((item) => itemChoice.ticked.has(itemKey(item)));
  return {
    choice,
    itemChoice,
    isSuspect,
    isStopped,
    isAccepted,
    setAccepted,
    isRisky: [...selectedTools, ...selectedItems].some(isGrave) || (isSuspect && selectedTools.length > 0),
    toolCount: selectedTools.length,
    itemCount: selectedItems.length,
    waitingTools: candidates.length - selectedTools.length + (act === "approve tools" ? 0 : changedTools.length),
    waitingItems: itemCandidates.length - selectedItems.length + changedItems.length,
    approvedTools: openTools.filter((tool) => tool.approval_status === "approved").length,
    changedTools: changedTools.length,
    changedItems: changedItems.length,
    decision: (): ReviewDecision => ({
      pins: Object.fromEntries(selectedTools.map((tool) => [tool.name, tool.current_hash ?? ""])),
      accept_findings: selectedTools.filter(isGrave).map(({ name }) => name),
      accept_instructions: isSuspect && isAccepted,
      items: selectedItems.map((item) => ({
        kind: item.kind,
        name: item.name,
        pin: item.current_hash ?? "",
        accept_findings: isGrave(item),
      })),
    }),
  };
}
