import { graveOf } from "../parts/findings.tsx";
import type { Listed, ReviewDecision } from "./review-decision.ts";

/** What a release without single decisions approves of a server, and what it leaves. */
export interface Harmless {
  /** Names of the tools that are approved. */
  tools: readonly string[];
  /** Number of prompts, resources and templates that are approved. */
  itemCount: number;
  /** Tools that stay pending, each with the reason. */
  left: readonly { name: string; why: string }[];
  /** The instructions have severe findings, so no tool is approved before a person accepts them. */
  isSuspect: boolean;
  decision: ReviewDecision;
}

/** Everything new without findings of severity high or critical; changed definitions always wait for a comparison. */
export function harmlessOf({ tools, items, instructions }: Listed): Harmless {
  const isSuspect = graveOf(instructions?.scan).length > 0;
  const open = tools.filter((tool) => !tool.disabled && !tool.config_denied);
  const isHarmless = ({ scan, approval_status }: Pick<Listed["tools"][number], "scan" | "approval_status">) =>
    approval_status === "pending_approval" && graveOf(scan).length === 0;
  const approved = isSuspect ? [] : open.filter(isHarmless);
  const left = open.filter((tool) => tool.approval_status !== "approved" && !approved.includes(tool));
  const approvedItems = items.filter((item) => !item.disabled && isHarmless(item));
  return {
    tools: approved.map(({ name }) => name),
    itemCount: approvedItems.length,
    left: left.map(({ name, scan, approval_status }) => ({
      name,
      why:
        [...new Set(graveOf(scan).map(({ rule }) => rule))].join(", ") ||
        (approval_status === "changed" ? "changed" : "findings in the instructions"),
    })),
    isSuspect,
    decision: {
      pins: Object.fromEntries(approved.map((tool) => [tool.name, tool.current_hash ?? ""])),
      accept_findings: [],
      accept_instructions: false,
      items: approvedItems.map(({ kind, name, current_hash }) => ({
        kind,
        name,
        pin: current_hash ?? "",
        accept_findings: false,
      })),
    },
  };
}
