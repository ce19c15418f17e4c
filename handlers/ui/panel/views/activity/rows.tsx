import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { count } from "../../parts/time.tsx";
import { at, go } from "../../route.ts";
import { COLUMNS } from "./columns.tsx";
import type { Feed } from "./feed.ts";

/** The list of records; older ones are loaded when its end becomes visible. */
export function Rows({ feed, filtered }: { feed: Feed; filtered: boolean }) {
  const { rows, total, error, loading, waits } = feed;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (!element) return;
    const seen = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && void feed.more(), {
      root: document.querySelector("main"),
      rootMargin: "1200px",
    });
    seen.observe(element);
    return () => seen.disconnect();
  }, [rows.length, total]);
  if (error && rows.length === 0) return <Failed error={error} retry={feed.refresh} />;
  if (loading && rows.length === 0) return <Loading />;
  return (
    <>
      {waits && (
        <div class="newer">
          <Button
            small
            kind="main"
            icon="refresh"
            onClick={() => {
              document.querySelector("main")?.scrollTo(0, 0);
              feed.refresh();
            }}
          >
            Show new records
          </Button>
        </div>
      )}
      <Section flush>
        <Table
          label="Activity"
          rows={rows}
          columns={COLUMNS}
          rowKey={(r) => r.id}
          onOpen={(r) => void go(at("activity", r.id))}
          empty={
            filtered ? (
              <Empty icon="filter" title="No records match the filters" />
            ) : (
              <Empty icon="activity" title="No activity yet">
                Calls, rejections, changes and approvals appear here as they happen.
              </Empty>
            )
          }
        />
      </Section>
      {error && (
        <Failed
          error={error}
          retry={() => {
            feed.refresh();
            void feed.more();
          }}
        />
      )}
      <div ref={end} class="hint" role="status">
        {rows.length > 0 && (rows.length < total ? `${count(rows.length)} of ${count(total)}` : `All ${count(total)}`)}
      </div>
    </>
  );
}
