import { Badge, Tag } from "../../parts/badge.tsx";
import { Visible } from "../../parts/diff.tsx";
import { dangerRank } from "../../parts/findings.tsx";
import type { Column } from "../../parts/table.tsx";
import { count, Time } from "../../parts/time.tsx";
import type { Tool } from "./tool.ts";

/** The members of a tool that all lists have. */
type Known = Pick<
  Tool,
  | "description"
  | "approval_status"
  | "disabled"
  | "config_denied"
  | "usage"
  | "last_used"
  | "annotations"
  | "scan"
  | "withheld"
>;

/** The effect of a tool according to its annotations. By MCP's defaults, a tool without annotations is destructive. */
export function Hints({ annotations = {} }: { annotations?: Record<string, unknown> | undefined }) {
  if (annotations.destructiveHint === true) return <Tag>destroys</Tag>;
  if (annotations.readOnlyHint === true) return <Tag>reads</Tag>;
  return <Tag>{annotations.destructiveHint === false ? "writes" : "may destroy"}</Tag>;
}

/** The state of a tool. Danger is shown in red: before the approval as text, afterwards by the badge. */
export function ToolState({ tool }: { tool: Pick<Known, "approval_status" | "disabled" | "config_denied" | "scan"> }) {
  const dangerous = tool.scan?.verdict === "dangerous";
  if (tool.config_denied) return <Badge tone="off">Excluded</Badge>;
  if (tool.disabled) return <Badge tone="off">Off</Badge>;
  if (dangerous && tool.approval_status !== "approved") return <Badge tone="bad">Dangerous</Badge>;
  if (dangerous)
    return (
      <Badge tone="bad">
        Approved<span class="unsaid"> although the scan rates it dangerous</span>
      </Badge>
    );
  if (tool.approval_status === "changed") return <Badge tone="warn">Changed</Badge>;
  if (tool.approval_status === "pending_approval") return <Badge tone="wait">Waiting</Badge>;
  return <Badge tone="ok">Approved</Badge>;
}

/** Placeholder for the texts of an unapproved tool, which only administrators see. */
export const Withheld = () => <em class="muted">Hidden until an administrator approves this tool</em>;

export const firstLine = ({ description }: Pick<Known, "description">) => description.split("\n", 1)[0] ?? "";

export const STATE: Column<Known> = {
  id: "state",
  title: "State",
  width: "7.5rem",
  sort: (t) =>
    `${t.config_denied} ${t.disabled} ${t.approval_status === "approved"} ${dangerRank(t.scan)} ${t.approval_status}`,
  cell: (t) => <ToolState tool={t} />,
};
export const DOES: Column<Known> = {
  id: "does",
  title: "Does",
  width: "6.25rem",
  from: "wide",
  cell: (t) => !t.withheld && <Hints annotations={t.annotations} />,
};
export const CALLS: Column<Known> = {
  id: "calls",
  title: "Calls",
  width: "4.5rem",
  align: "end",
  from: "medium",
  sort: (t) => t.usage,
  cell: (t) => count(t.usage),
};

export const ABOUT: Column<Known> = {
  id: "about",
  title: "Description",
  width: "minmax(8rem, 2.2fr)",
  from: "medium",
  cell: (t) => <span class="muted">{t.withheld ? <Withheld /> : <Visible text={firstLine(t)} />}</span>,
};
export const USED: Column<Known> = {
  id: "used",
  title: "Last used",
  width: "6rem",
  from: "wide",
  sort: (t) => t.last_used ?? "",
  cell: (t) => <span class="muted">{t.last_used ? <Time at={t.last_used} /> : "never"}</span>,
};
