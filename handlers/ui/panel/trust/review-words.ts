import { plural } from "../parts/time.tsx";

/** What a person decides about: whether a quarantined server is released, a scanned one approved, or single tools approved. */
export type ReviewAct = "release" | "approve server" | "approve tools";

interface SelectionFacts {
  /** Name of the server. */
  readonly name: string;
  readonly toolCount: number;
  readonly itemCount: number;
  /** Something with findings of severity high or critical is selected. */
  readonly isRisky: boolean;
}

/** The title of the dialog and the labels of its two buttons. */
export function reviewWords(act: ReviewAct, { name, toolCount, itemCount, isRisky }: SelectionFacts) {
  const isEmpty = toolCount + itemCount === 0;
  const tools = `${amount(toolCount, itemCount)}${isRisky ? " despite findings" : ""}`;
  switch (act) {
    case "release":
      return {
        title: `Release ${name} from quarantine?`,
        keep: "Keep in quarantine",
        go: isEmpty ? "Release without approving tools" : `Release and approve ${tools}`,
      };
    case "approve server":
      return {
        title: `Approve ${name}?`,
        keep: "Cancel",
        go: isEmpty ? "Approve the server" : `Approve the server and ${tools}`,
      };
    case "approve tools":
      return { title: `Approve tools of ${name}?`, keep: "Cancel", go: `Approve ${tools}` };
  }
}

/** Says how many tools will be approved and how many stay pending. */
export function toolSummary(act: ReviewAct, ticked: number, waiting: number): string {
  const first = `${plural(ticked, "tool")} will be approved${act === "release" && ticked > 0 ? ` and clients can then call ${ticked === 1 ? "it" : "them"}` : ""}.`;
  return waiting === 0
    ? first
    : `${first} ${waiting} ${waiting === 1 ? "tool stays" : "tools stay"} pending: no client can call ${waiting === 1 ? "it" : "them"} until you approve ${waiting === 1 ? "it" : "them"}.`;
}

/** Says what will happen to prompts and resources; empty if the server has none to decide about. */
export function itemSummary(ticked: number, waiting: number): string {
  if (ticked + waiting === 0) return "";
  const approved = `${plural(ticked, "prompt or resource", "prompts and resources")} will be approved`;
  return waiting === 0 ? `${approved}.` : `${approved}, ${waiting} not selected.`;
}

/** `3 tools and 1 prompt or resource`; the second part is left out if there is none. */
export function amount(tools: number, items: number): string {
  const others = items === 0 ? [] : [plural(items, "prompt or resource", "prompts and resources")];
  return [...(tools > 0 || items === 0 ? [plural(tools, "tool")] : []), ...others].join(" and ");
}
