import { useRef, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { plural } from "../parts/time.tsx";
import { usePlace } from "../route.ts";
import { CallsChart } from "./activity/calls-chart.tsx";
import { Export } from "./activity/export.tsx";
import { type Filters, useFeed } from "./activity/feed.ts";
import { FilterBar } from "./activity/filter-bar.tsx";
import { PERIODS, readFilters } from "./activity/filters.ts";
import { Rows } from "./activity/rows.tsx";

/** Scroll position below which the list must not move, because the user is reading (px). */
const SCROLLED = 200;

/** All activity, updated live. */
export default function Activity() {
  const { query } = usePlace();
  const { filters, period } = readFilters(query);
  const [paused, setPaused] = useState(false);
  const [exporting, setExporting] = useState(false);
  const asked = useRef<{ key: string; filters: Filters }>({ key: "", filters: {} });
  // Computed once for each choice: a start that moves with the clock would cause constant requests.
  const key = JSON.stringify([filters, period]);
  if (asked.current.key !== key) {
    const back = PERIODS[period][1];
    const since = back === undefined ? {} : { start_time: new Date(Date.now() - back).toISOString() };
    asked.current = { key, filters: { ...filters, ...since } };
  }
  const feed = useFeed(
    asked.current.filters,
    () => paused || (document.querySelector("main")?.scrollTop ?? 0) > SCROLLED,
  );
  const filtered = Object.keys(filters).length > 0 || period !== "all";
  return (
    <Page
      title="Activity"
      about={feed.total > 0 && `${plural(feed.total, "record")}${filtered ? " with these filters" : ""}`}
      actions={
        <>
          <Button
            icon={paused ? "play" : "activity"}
            pressed={!paused}
            title={paused ? "Resume live updates" : "Pause live updates"}
            onClick={() => {
              setPaused(!paused);
              if (paused) feed.refresh();
            }}
          >
            {paused ? "Paused" : "Live"}
          </Button>
          <Button
            icon="download"
            blocked={feed.total === 0 && "There is nothing to export."}
            onClick={() => setExporting(true)}
          >
            Export
          </Button>
        </>
      }
    >
      <FilterBar query={query} filtered={filtered} />
      <CallsChart filters={filters} period={period} />
      <Rows feed={feed} filtered={filtered} />
      {exporting && <Export filters={asked.current.filters} total={feed.total} onClose={() => setExporting(false)} />}
    </Page>
  );
}
