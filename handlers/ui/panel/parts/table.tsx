import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Cell, type Column, Head, sortRows, Tracks } from "./table/columns.tsx";
import { indexes, reveal, useSight } from "./table/sight.ts";

export type { Column } from "./table/columns.tsx";

interface TableProps<T> {
  /** Accessible name of the table. */
  label: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  rowKey(row: T): string;
  /** Called on Enter and on a click on a row. */
  onOpen?(row: T): void;
  /** Keys of the selected rows; rows then have a check box. */
  selected?: ReadonlySet<string>;
  onSelect?(selected: ReadonlySet<string>): void;
  /** Key of the row that is shown beside the table. */
  current?: string;
  /** Shown if there are no rows. */
  empty?: ComponentChildren;
  /** Initial column and direction: `name`, `-calls`. */
  sort?: string;
}

/**
 * A table for any number of rows: above 80, only visible rows are rendered. Arrows, Page Up and Down, Home and End
 * move, Enter opens a row, Space selects it.
 */
export function Table<T>(props: TableProps<T>) {
  const { label, rows, columns, rowKey, onOpen, selected, onSelect, current, empty } = props;
  const [sort, setSort] = useState(props.sort ?? "");
  const [active, setActive] = useState(0);
  const body = useRef<HTMLDivElement>(null);
  const follow = useRef(false);
  const sorted = sortRows(rows, columns, sort);
  const [first, last] = useSight(body, sorted.length);
  const at = Math.min(active, Math.max(0, sorted.length - 1));

  useLayoutEffect(() => {
    if (!follow.current) return;
    follow.current = false;
    body.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus();
  }, [at]);

  const move = (to: number) => {
    const next = Math.max(0, Math.min(sorted.length - 1, to));
    reveal(body.current, next);
    follow.current = true;
    setActive(next);
    // The row is already active, so nothing is rendered.
    if (next === at) body.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus();
  };
  // A page opened by its shortcut has the focus on its heading; from there, an arrow key moves into the first list.
  const enter = useRef(move);
  enter.current = move;
  useEffect(() => {
    const onArrow = (event: KeyboardEvent) => {
      const fromHeading = event.target instanceof HTMLElement && event.target.matches("h1, main");
      if (event.key !== "ArrowDown" || !fromHeading || document.querySelector(".table-body") !== body.current) return;
      event.preventDefault();
      enter.current(0);
    };
    addEventListener("keydown", onArrow);
    return () => removeEventListener("keydown", onArrow);
  }, []);
  const choose = (key: string) => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect?.(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + 10,
      PageUp: at - 10,
      Home: 0,
      End: sorted.length - 1,
    };
    const row = sorted[at];
    // Events of controls within a cell, such as a button or a menu, are handled there.
    if (event.target !== event.currentTarget && !(event.target as HTMLElement).hasAttribute("data-row")) return;
    const to = steps[event.key];
    if (to !== undefined) move(to);
    else if (event.key === "Enter" && row !== undefined && onOpen) onOpen(row);
    else if (event.key === " " && row !== undefined && onSelect) choose(rowKey(row));
    else return;
    event.preventDefault();
  };

  if (rows.length === 0 && empty) return <>{empty}</>;
  const tracks = [...(onSelect ? ["2.25rem"] : []), ...columns.map((c) => c.width)];
  const all = sorted.length > 0 && sorted.every((r) => selected?.has(rowKey(r)));
  const drawn = indexes(first, last, at, sorted.length);
  return (
    <div
      class="table"
      role="grid"
      aria-label={label}
      aria-rowcount={sorted.length + 1}
      aria-multiselectable={onSelect ? true : undefined}
    >
      <Tracks tracks={tracks} columns={columns} select={onSelect !== undefined}>
        <div class="table-head" role="row" aria-rowindex={1}>
          {onSelect && (
            <div role="columnheader" class="cell choose">
              <input
                type="checkbox"
                aria-label={`Select all: ${label}`}
                checked={all}
                onChange={() => onSelect(all ? new Set() : new Set(sorted.map(rowKey)))}
              />
            </div>
          )}
          {columns.map((c) => (
            <Head key={c.id} column={c} sort={sort} onSort={setSort} />
          ))}
        </div>
        {/* The rows handle keys; the body is only their container. */}
        <div
          class="table-body"
          role="rowgroup"
          ref={body}
          style={{ height: `calc(var(--row) * ${sorted.length})` }}
          onKeyDown={onKeyDown}
        >
          {drawn.map((i) => {
            const row = sorted[i]!;
            const key = rowKey(row);
            return (
              <div
                // The key is the position, not the row, so that the focus does not move when the rows are sorted.
                key={i}
                role="row"
                class={`table-row${onOpen ? " opens" : ""}`}
                aria-current={current === key ? "true" : undefined}
                data-row={i}
                data-key={key}
                aria-rowindex={i + 2}
                aria-selected={onSelect ? (selected?.has(key) ?? false) : undefined}
                tabIndex={i === at ? 0 : -1}
                style={{ transform: `translateY(calc(var(--row) * ${i}))` }}
                onFocus={() => setActive(i)}
                onClick={(event) => {
                  if (onOpen && !(event.target as Element).closest("a,button,input,select,label")) onOpen(row);
                }}
              >
                {onSelect && (
                  <div role="gridcell" class="cell choose">
                    <input
                      type="checkbox"
                      tabIndex={-1}
                      aria-label={`Select ${key}`}
                      checked={selected?.has(key) ?? false}
                      onChange={() => choose(key)}
                    />
                  </div>
                )}
                {columns.map((c) => (
                  <Cell key={c.id} column={c} row={row} />
                ))}
              </div>
            );
          })}
        </div>
      </Tracks>
    </div>
  );
}
