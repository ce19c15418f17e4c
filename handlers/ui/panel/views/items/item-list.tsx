import { useState } from "preact/hooks";
import { Table } from "../../parts/table.tsx";
import { type Item, itemKey } from "../../trust/item-choices.tsx";
import { ITEM_COLUMNS, openFirst } from "./columns.tsx";
import { ItemDialog } from "./item-dialog.tsx";

/** A table of prompts, resources and templates; each opens in full. */
export function ItemList({ label, items }: { label: string; items: readonly Item[] }) {
  const [opened, setOpened] = useState<string>();
  const item = items.find((one) => itemKey(one) === opened);
  return (
    <>
      <Table
        label={label}
        rows={openFirst(items)}
        columns={ITEM_COLUMNS}
        rowKey={itemKey}
        onOpen={(one) => setOpened(itemKey(one))}
      />
      {item && <ItemDialog key={itemKey(item)} item={item} onClose={() => setOpened(undefined)} />}
    </>
  );
}
