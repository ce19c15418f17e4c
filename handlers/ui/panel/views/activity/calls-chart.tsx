import { useLive } from "../../live.ts";
import { Chart } from "../../parts/chart.tsx";
import { Section } from "../../parts/page.tsx";
import { Failed } from "../../parts/states.tsx";
import type { Filters } from "./feed.ts";
import type { Period } from "./filters.ts";

/** Height of the chart (px). */
const HEIGHT = 110;

/** Calls over time, by those filters that apply to calls. */
export function CallsChart({ filters: { server, tool, status }, period }: { filters: Filters; period: Period }) {
  const named = Object.fromEntries(Object.entries({ server, tool, status }).filter(([, v]) => v !== undefined));
  const query = { sort: "calls" as const, top: "1", ...named };
  const usage = useLive("GET /api/v1/activity/usage", { query: { window: period, ...query } });
  // If the history is only a day or two long, bars of one day are too coarse.
  const young = period === "all" && usage.data !== undefined && usage.data.timeline.length < 3;
  const day = useLive("GET /api/v1/activity/usage", young ? { query: { window: "24h", ...query } } : undefined);
  const slots = (young ? day : usage).data?.timeline ?? [];
  if (usage.error && !usage.data) return <Failed error={usage.error} retry={usage.refresh} />;
  // The space of the chart is reserved while it loads, so that the list does not move.
  if (!usage.data || (young && !day.data && !day.error))
    return (
      <Section title="Calls over time">
        <div style={{ height: `${HEIGHT}px` }} />
      </Section>
    );
  if (!slots.some((s) => s.calls > 0)) return null;
  return (
    <Section title={young ? "Calls in the last 24 hours" : "Calls over time"}>
      <Chart
        label={young ? "Calls in the last 24 hours" : "Calls over time"}
        height={HEIGHT}
        times={slots.map((s) => Date.parse(s.start) / 1000)}
        lines={[
          { label: "Calls", tone: "accent", values: slots.map((s) => s.calls) },
          { label: "Failed", tone: "bad", values: slots.map((s) => s.errors) },
        ]}
      />
    </Section>
  );
}
