import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

export interface Column<T> {
  id: string;
  title: string;
  /** A track of CSS grid: `minmax(10rem, 2fr)`, `6rem`. */
  width: string;
  cell(row: T): ComponentChildren;
  /** What it is sorted by; without it the column cannot be sorted. */
  sort?(row: T): string | number;
  /** From which width of the table on it is shown; always, when left out. */
  from?: "medium" | "wide";
  align?: "end";
}

export interface TableProps<T> {
  /** What the rows are, for those who cannot see it. */
  label: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  rowKey(row: T): string;
  /** Enter and click on a row. */
  onOpen?(row: T): void;
  /** Which rows are chosen, by key; rows then have a box. */
  selected?: ReadonlySet<string>;
  onSelect?(selected: ReadonlySet<string>): void;
  /** The row that is shown beside the table, by key. */
  current?: string;
  /** Instead of rows, when there are none. */
  empty?: ComponentChildren;
  /** Column and direction at first: `name`, `-calls`. */
  sort?: string;
}

/** Height of a row (px); the same in style.css. */
const ROW = 44;
/** Fewer rows than this are all drawn. */
const FEW = 80;
/** Rows drawn beyond what is seen, each side. */
const AHEAD = 12;

/**
 * Rows of any number: beyond 80 only those in sight are in the page. Arrows, Page Up and Down, Home and End move through
 * them, Enter opens one, Space chooses it.
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
    // Already the active one, so nothing is drawn anew.
    if (next === at) body.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus();
  };
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
    // What happens within a cell, such as a button or a menu, is the cell's own.
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
                aria-label={`Choose all: ${label}`}
                checked={all}
                onChange={() => onSelect(all ? new Set() : new Set(sorted.map(rowKey)))}
              />
            </div>
          )}
          {columns.map((c) => (
            <Head key={c.id} column={c} sort={sort} onSort={setSort} />
          ))}
        </div>
        {/* The grid's rows take the keys; the body is only the room they stand in. */}
        <div
          class="table-body"
          role="rowgroup"
          ref={body}
          style={{ height: `${sorted.length * ROW}px` }}
          onKeyDown={onKeyDown}
        >
          {drawn.map((i) => {
            const row = sorted[i]!;
            const key = rowKey(row);
            return (
              <div
                // By place, not by row: what is sorted anew keeps the focus where it is.
                key={i}
                role="row"
                class={`table-row${onOpen ? " opens" : ""}`}
                aria-current={current === key ? "true" : undefined}
                data-row={i}
                data-key={key}
                aria-rowindex={i + 2}
                aria-selected={onSelect ? (selected?.has(key) ?? false) : undefined}
                tabIndex={i === at ? 0 : -1}
                style={{ transform: `translateY(${i * ROW}px)` }}
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
                      aria-label={`Choose ${key}`}
                      checked={selected?.has(key) ?? false}
                      onChange={() => choose(key)}
                    />
                  </div>
                )}
                {columns.map((c) => (
                  <div key={c.id} role="gridcell" class={cellClass(c)}>
                    {c.cell(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </Tracks>
    </div>
  );
}

function cellClass<T>({ from, align }: Column<T>): string {
  return `cell${from ? ` from-${from}` : ""}${align ? ` ${align}` : ""}`;
}

/** The tracks for each width, as custom properties: the page's policy allows no style text. */
function Tracks<T>(props: {
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

function Head<T>({ column, sort, onSort }: { column: Column<T>; sort: string; onSort(sort: string): void }) {
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

function sortRows<T>(rows: readonly T[], columns: readonly Column<T>[], sort: string): readonly T[] {
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

/** The rows drawn: those in sight, and the active one, which may hold the focus. */
function indexes(first: number, last: number, active: number, length: number): number[] {
  const all = [];
  for (let i = first; i < Math.min(last, length); i++) all.push(i);
  if (active < length && (active < first || active >= last)) active < first ? all.unshift(active) : all.push(active);
  return all;
}

const scroller = (element: HTMLElement) =>
  element.closest<HTMLElement>(".dialog-content, main") ?? document.documentElement;

/** Which rows are in sight of what scrolls. */
function useSight(body: { current: HTMLElement | null }, length: number): [first: number, last: number] {
  const [sight, setSight] = useState<[number, number]>([0, Math.min(length, FEW)]);
  const many = length > FEW;
  useEffect(() => {
    const element = body.current;
    if (!element || !many) return;
    const outer = scroller(element);
    let frame = 0;
    const look = () => {
      frame = 0;
      const top = outer.getBoundingClientRect().top - element.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor(top / ROW) - AHEAD);
      const last = Math.min(length, Math.ceil((top + outer.clientHeight) / ROW) + AHEAD);
      setSight((old) => (old[0] === first && old[1] === last ? old : [first, last]));
    };
    const later = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    outer.addEventListener("scroll", later, { passive: true });
    addEventListener("resize", later);
    return () => {
      cancelAnimationFrame(frame);
      outer.removeEventListener("scroll", later);
      removeEventListener("resize", later);
    };
  }, [length, many]);
  return many ? sight : [0, length];
}

/** Scrolls a row into sight that may not be in the page yet. */
function reveal(body: HTMLElement | null, index: number): void {
  if (!body) return;
  const outer = scroller(body);
  const top = body.getBoundingClientRect().top - outer.getBoundingClientRect().top + index * ROW;
  const head = 80;
  if (top < head) outer.scrollBy(0, top - head);
  else if (top + ROW > outer.clientHeight) outer.scrollBy(0, top + ROW - outer.clientHeight + 8);
}
