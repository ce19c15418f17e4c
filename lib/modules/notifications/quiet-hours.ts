/** A daily time span in minutes since midnight. It may contain midnight: then `from` is larger than `to`. */
interface QuietHours {
  readonly from: number;
  readonly to: number;
}

/** Parses `22:00-07:00`; undefined for any other text, also for an empty time span. */
export function parseQuietHours(text: string): QuietHours | undefined {
  const found = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (!found) return undefined;
  const [, fromHour, fromMinute, toHour, toMinute] = found.map(Number) as [number, number, number, number, number];
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  return from === to ? undefined : { from, to };
}

/** True for a name of the time zone database that this runtime knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** True if the time (ms) is within the quiet hours on the clocks of the time zone. */
export function isQuietAt(at: number, text: string | undefined, timeZone: string | undefined): boolean {
  const hours = text === undefined ? undefined : parseQuietHours(text);
  if (!hours) return false;
  const parts = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone });
  const [hour, minute] = parts.format(at).split(":").map(Number) as [number, number];
  const now = hour * 60 + minute;
  const { from, to } = hours;
  return from < to ? now >= from && now < to : now >= from || now < to;
}
