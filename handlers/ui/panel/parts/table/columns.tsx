import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../icon.tsx";

export interface Column<T> {
  id: string;
  title: ComponentChildren;
  /** A CSS grid track: `minmax(10rem, 2fr)`, `6rem`. */
  width: string;
  cell(row: T): ComponentChildren;
  /** The sort value; without it the column cannot be sorted. */
  sort?(row: T): string | number;
  /** Minimum width of the table at which it is shown; by default always. */
  from?: "medium" | "wide";
  align?: "end";
  /** Content below the cell on narrow screens, which replaces hidden columns. */
  under?(row: T): ComponentChildren;
}

/** The cell of one row and column. */
export function Cell<T>({ column, row }: { column: Column<T>; row: T }) {
  return (
    <div role="gridcell" class={cellClass(column)}>
      {column.cell(row)}
      {column.under && <span class="under">{column.under(row)}</span>}
    </div>
  );
}

function cellClass<T>({ from, align }: Column<T>): string {
  return `cell${from ? ` from-${from}` : ""}${align ? ` ${align}` : ""}`;
}

/** The grid tracks for each width, as custom properties, because the content security policy forbids inline styles. */
export function Tracks<T>(props: {
  tracks: string[];
  columns: readonly Column<T>[];
  select: boolean;
  children: ComponentChildren;
}) {
  const { tracks, columns, select, children } = props;
  const upTo = (widths: readonly (string | undefined)[]) =>
    tracks.filter((_, i) => (select && i === 0) || widths.includes(columns[i - (select ? 1 : 0)]?.from)).join(" ");
  const ref = useRef<HTMLDivElement>(null);
  const [narrow, medium, wide] = [upTo([undefined]), upTo([undefined, "medium"]), tracks.join(" ")];
  useLayoutEffect(() => {
    ref.current?.style.setProperty("--narrow", narrow);
    ref.current?.style.setProperty("--medium", medium);
    ref.current?.style.setProperty("--wide", wide);
  }, [narrow, medium, wide]);
  return (
    <div class="tracks" ref={ref} role="presentation">
      {children}
    </div>
  );
}

/** A column's title; a button if the column can be sorted. */
export function Head<T>({ column, sort, onSort }: { column: Column<T>; sort: string; onSort(sort: string): void }) {
  const { id, title, sort: by } = column;
  const now = sort === id ? "ascending" : sort === `-${id}` ? "descending" : undefined;
  return (
    <div role="columnheader" class={cellClass(column)} aria-sort={by ? (now ?? "none") : undefined}>
      {by ? (
        <button type="button" onClick={() => onSort(now === "ascending" ? `-${id}` : id)}>
          {title}
          <span class={`sort ${now ?? "none"}`}>
            <Icon name="down" size={10} />
          </span>
        </button>
      ) : (
        title
      )}
    </div>
  );
}

/** Sorts rows by a column and direction such as `-calls`. */
export function sortRows<T>(rows: readonly T[], columns: readonly Column<T>[], sort: string): readonly T[] {
  const by = columns.find((c) => c.id === sort.replace(/^-/, ""))?.sort;
  if (!by) return rows;
  const sign = sort.startsWith("-") ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: by(row) }));
  keyed.sort((a, b) => sign * order(a.key, b.key));
  return keyed.map(({ row }) => row);
}

const texts = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const order = (a: string | number, b: string | number) =>
  typeof a === "number" && typeof b === "number" ? a - b : texts.compare(String(a), String(b));
