import { useEffect, useState } from "preact/hooks";

const UNITS: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [31_536_000, "year"],
  [2_592_000, "month"],
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

/** A relative time: `2 min. ago`. */
function relative(at: number, now = Date.now()): string {
  const seconds = (at - now) / 1000;
  if (Math.abs(seconds) < 10) return "just now";
  for (const [length, unit] of UNITS)
    if (Math.abs(seconds) >= length) return words.format(Math.round(seconds / length), unit);
  return words.format(Math.round(seconds), "second");
}

/** A relative time with the exact time as its tooltip. */
export function Time({ at }: { at: string | number }) {
  const ms = typeof at === "number" ? at : Date.parse(at);
  const [, redraw] = useState(0);
  useEffect(() => {
    const young = Math.abs(Date.now() - ms) < 3_600_000;
    const timer = setInterval(() => redraw((n) => n + 1), young ? 10_000 : 60_000);
    return () => clearInterval(timer);
  }, [ms]);
  if (Number.isNaN(ms)) return <span>—</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={exact.format(ms)}>
      {relative(ms)}
    </time>
  );
}

/** The date and the time of day of an RFC 3339 timestamp, in the browser's time zone. */
export const exactTime = (timestamp: string): string => exact.format(Date.parse(timestamp));

/** Formats milliseconds. */
export function duration(ms: number): string {
  if (ms < 1) return "<1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
  return `${Math.floor(ms / 86_400_000)} d ${Math.floor((ms % 86_400_000) / 3_600_000)} h`;
}

const counted = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Formats a count; from ten thousand in short form. */
export function count(n: number): string {
  return Math.abs(n) < 10_000 ? counted.format(n) : short.format(n);
}

/** Formats a size in bytes. */
export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  if (n < 1024 ** 2) return `${(n / 1024).toFixed(1)} KB`;
  if (n < 1024 ** 3) return `${(n / 1024 ** 2).toFixed(1)} MB`;
  return `${(n / 1024 ** 3).toFixed(1)} GB`;
}

const both = new Intl.ListFormat("en", { type: "conjunction" });

/** Joins names: `a, b, and c`. */
export const listed = (names: readonly string[]): string => both.format(names);

/** Capitalises the first letter. */
export const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Formats a count with a noun: `1 tool`, `3 tools`. */
export const plural = (n: number, one: string, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
