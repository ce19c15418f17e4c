import { Badge, Tag } from "../../parts/badge.tsx";
import { Visible } from "../../parts/diff.tsx";
import { dangerRank } from "../../parts/findings.tsx";
import type { Column } from "../../parts/table.tsx";
import { type Item, KINDS } from "../../trust/item-choices.tsx";

/** Whether clients may use it. */
export function ItemState({ item }: { item: Item }) {
  const { disabled, approval_status, scan } = item;
  if (disabled) return <Badge tone="off">Blocked</Badge>;
  if (approval_status !== "approved" && scan?.verdict === "dangerous") return <Badge tone="bad">Dangerous</Badge>;
  if (approval_status === "changed") return <Badge tone="warn">Changed</Badge>;
  if (approval_status === "pending_approval") return <Badge tone="wait">Waiting</Badge>;
  return <Badge tone="ok">Approved</Badge>;
}

/** The columns of every list of prompts, resources and templates. */
export const ITEM_COLUMNS: readonly Column<Item>[] = [
  {
    id: "name",
    title: "Name or URI",
    width: "minmax(8rem, 1.4fr)",
    sort: (item) => item.name,
    cell: (item) => (
      <span class="name">
        <Visible text={item.name} />
      </span>
    ),
  },
  {
    id: "kind",
    title: "Kind",
    width: "6.5rem",
    from: "medium",
    sort: (item) => item.kind,
    cell: (item) => <Tag>{KINDS[item.kind].toLowerCase()}</Tag>,
  },
  {
    id: "state",
    title: "State",
    width: "7.5rem",
    sort: (item) =>
      `${item.disabled} ${item.approval_status === "approved"} ${dangerRank(item.scan)} ${item.approval_status}`,
    cell: (item) => <ItemState item={item} />,
  },
  {
    id: "about",
    title: "Description",
    width: "minmax(8rem, 2fr)",
    from: "medium",
    cell: (item) => (
      <span class="muted">
        <Visible text={(item.title ?? item.description).split("\n", 1)[0] ?? ""} />
      </span>
    ),
  },
];

/** Sorts items that need a decision first. */
export function openFirst(items: readonly Item[]): Item[] {
  const rank = (item: Item) => (item.approval_status === "approved" || item.disabled ? 10 : dangerRank(item.scan));
  return [...items].sort((a, b) => rank(a) - rank(b));
}
