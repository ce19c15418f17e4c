/** The calls of one tool on one day (UTC). */
export interface UsageDay {
  readonly tool: string;
  readonly day: number;
  readonly calls: number;
  /** Time of the last call (ms). */
  readonly lastUsed: number;
}

export const DAY_MS = 86_400_000;
/** Number of days that count. */
export const USAGE_DAYS = 30;

/** Returns the begin of the first of the 30 days that count (ms). */
export const usageStart = (now: number): number => (Math.floor(now / DAY_MS) - USAGE_DAYS + 1) * DAY_MS;

/** Calls per tool and day, in memory. */
export class UsageDays {
  private readonly tools = new Map<string, Map<number, UsageDay>>();

  /** Adds calls to those of the same tool and day. */
  add(one: UsageDay): void {
    const days = this.tools.get(one.tool) ?? new Map<number, UsageDay>();
    this.tools.set(one.tool, days.set(one.day, addedUsage(days.get(one.day), one)));
  }

  /** The number of calls of a tool within the 30 days before `now`, and the time of the last one. */
  last30Days(tool: string, now: number): { count: number; lastUsed: number } | undefined {
    const first = usageStart(now) / DAY_MS;
    let count = 0;
    let lastUsed = 0;
    for (const { day, calls, lastUsed: at } of this.tools.get(tool)?.values() ?? []) {
      if (day < first) continue;
      count += calls;
      lastUsed = Math.max(lastUsed, at);
    }
    return count > 0 ? { count, lastUsed } : undefined;
  }

  forgetBefore(day: number): void {
    for (const [tool, days] of this.tools) {
      for (const old of days.keys()) if (old < day) days.delete(old);
      if (days.size === 0) this.tools.delete(tool);
    }
  }
}

/** Adds the calls of one tool and day. */
export function addedUsage(a: UsageDay | undefined, b: UsageDay): UsageDay {
  return a ? { ...b, calls: a.calls + b.calls, lastUsed: Math.max(a.lastUsed, b.lastUsed) } : b;
}
