import { useEffect, useState } from "preact/hooks";

/** Height of a row (px), which depends on the width of the table (style.css). */
const rowHeight = (body: HTMLElement) => Number.parseFloat(getComputedStyle(body).getPropertyValue("--row")) || 44;

/** Below this number, all rows are rendered. */
const MAX_ALL_RENDERED = 80;
/** Number of rows rendered above and below the visible part. */
const AHEAD = 12;

/** The indexes of rendered rows: the visible ones, and the active one, which can have the focus. */
export function indexes(first: number, last: number, active: number, length: number): number[] {
  const all = [];
  for (let i = first; i < Math.min(last, length); i++) all.push(i);
  if (active < length && (active < first || active >= last)) active < first ? all.unshift(active) : all.push(active);
  return all;
}

const scroller = (element: HTMLElement) =>
  element.closest<HTMLElement>(".dialog-content, main") ?? document.documentElement;

/** The range of visible rows in a scrolling element. */
export function useSight(body: { current: HTMLElement | null }, length: number): [first: number, last: number] {
  const [sight, setSight] = useState<[number, number]>([0, Math.min(length, MAX_ALL_RENDERED)]);
  const many = length > MAX_ALL_RENDERED;
  useEffect(() => {
    const element = body.current;
    if (!element || !many) return;
    const outer = scroller(element);
    let frame = 0;
    const look = () => {
      frame = 0;
      const top = outer.getBoundingClientRect().top - element.getBoundingClientRect().top;
      const row = rowHeight(element);
      const first = Math.max(0, Math.floor(top / row) - AHEAD);
      const last = Math.min(length, Math.ceil((top + outer.clientHeight) / row) + AHEAD);
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

/** Scrolls to a row that may not be rendered yet. */
export function reveal(body: HTMLElement | null, index: number): void {
  if (!body) return;
  const outer = scroller(body);
  const row = rowHeight(body);
  const top = body.getBoundingClientRect().top - outer.getBoundingClientRect().top + index * row;
  const head = 80;
  if (top < head) outer.scrollBy(0, top - head);
  else if (top + row > outer.clientHeight) outer.scrollBy(0, top + row - outer.clientHeight + 8);
}
