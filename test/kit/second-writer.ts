/** A table of the store whose rows are changed one by one or together. */
type Changing = Partial<Record<"change" | "changeAll", (...change: never[]) => Promise<unknown>>>;

/**
 * Lets another writer act once, between what a caller has read and the next change that the caller requests. A caller
 * that writes what it read before loses what the other writer wrote.
 */
export function secondWriter(table: Changing, act: () => Promise<unknown>): void {
  const name = table.changeAll ? "changeAll" : "change";
  const change = table[name]!;
  table[name] = async (...inputs) => {
    table[name] = change;
    await act();
    return await change(...inputs);
  };
}
