import { useState } from "preact/hooks";
import { Table } from "../../parts/table.tsx";
import { type Item, itemKey } from "../../trust/item-choices.tsx";
import { ITEM_COLUMNS, openFirst } from "./columns.tsx";
import { ItemDialog } from "./item-dialog.tsx";

interface ItemListProps {
  label: string;
  items: readonly Item[];
  /** The keys j, k, a and b review the items one by one. */
  isReview?: boolean;
}

/** A table of prompts, resources and templates; each opens in full. */
export function ItemList({ label, items, isReview = false }: ItemListProps) {
  const [opened, setOpened] = useState<string>();
  const rows = openFirst(items);
  const index = rows.findIndex((one) => itemKey(one) === opened);
  const item = rows[index];
  const step = (by: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index + by))];
    setOpened(next && itemKey(next));
  };
  return (
    <>
      <Table
        label={label}
        rows={rows}
        columns={ITEM_COLUMNS}
        rowKey={itemKey}
        onOpen={(one) => setOpened(itemKey(one))}
      />
      {item && (
        <ItemDialog
          key={itemKey(item)}
          item={item}
          onClose={() => setOpened(undefined)}
          {...(isReview && { onStep: step })}
        />
      )}
    </>
  );
}
