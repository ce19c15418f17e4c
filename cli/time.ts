const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Formats a time for a terminal, in local time: `14:05:09` today, otherwise `2026-11-21 14:05`.
 *
 * @param now current time (ms since 1970)
 * @returns undefined for text that is no time
 */
export function shortTime(text: string, now: number): string | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return undefined;
  const two = (n: number) => String(n).padStart(2, "0");
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (at.toDateString() === new Date(now).toDateString()) return `${clock}:${two(at.getSeconds())}`;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`;
}

const AGO = /^(\d{1,6})(m|h|d|w)$/;
const MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Parses a time: a duration before now, such as `90m`, `2h`, `7d`; a local day or time, such as `2026-01-31` or
 * `2026-01-31T09:30`; or a complete RFC 3339 time.
 *
 * @returns RFC 3339; undefined for other text
 */
export function readTime(text: string, now: number): string | undefined {
  const [, count, unit] = AGO.exec(text) ?? [];
  if (count !== undefined) return new Date(now - Number(count) * MS[unit as keyof typeof MS]).toISOString();
  const local = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?$/.exec(text);
  if (!local) return RFC_3339.test(text) ? text : undefined;
  // A time of day is added, because JavaScript reads a day alone as UTC.
  const at = new Date(`${local[1]}T${local[2] ?? "00:00"}`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
