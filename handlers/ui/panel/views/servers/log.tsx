import { useEffect, useRef, useState } from "preact/hooks";
import { useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Segments, segmentsOf } from "../../parts/filter.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";

const LEVELS = { debug: "All", info: "Info", warn: "Warnings", error: "Errors" } as const;
const TAIL = 500;

/** The end of a server's log, updated live. It scrolls with the newest line while that is visible. */
export function ServerLog({ name }: { name: string }) {
  const [level, setLevel] = useState<keyof typeof LEVELS>("debug");
  const logs = useLive("GET /api/v1/servers/{name}/logs", {
    params: { name },
    query: { tail: String(TAIL), ...(level !== "debug" && { level }) },
  });
  const box = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);
  const lines = logs.data?.logs;
  useEffect(() => {
    if (follows) box.current?.scrollTo(0, box.current.scrollHeight);
  }, [lines, follows]);
  const onScroll = () => {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = box.current ?? {};
    setFollows(scrollTop + clientHeight >= scrollHeight - 24);
  };
  return (
    <Section
      flush
      actions={
        <>
          <Segments
            label="Filter lines"
            value={level}
            options={segmentsOf<keyof typeof LEVELS>(LEVELS)}
            onValue={(l) => setLevel(l)}
          />
          <span class="grow" />
          {!follows && (
            <Button small icon="down" onClick={() => setFollows(true)}>
              Newest
            </Button>
          )}
          <Copy label="Copy log" text={(lines ?? []).map((l) => `${l.timestamp} ${l.level} ${l.message}`).join("\n")} />
        </>
      }
    >
      <Shown of={logs}>
        {({ logs: all }) =>
          all.length === 0 ? (
            <Empty icon="activity" title="The log is empty">
              The server's standard error output and its connection events appear here.
            </Empty>
          ) : (
            <div class="log" ref={box} onScroll={onScroll} role="log" aria-label={`Log of ${name}`} tabIndex={0}>
              {all.map((l, i) => (
                <div key={`${l.timestamp} ${i}`} class={`log-line ${l.level}`}>
                  <time dateTime={l.timestamp} title={l.timestamp}>
                    {clock(l.timestamp)}
                  </time>
                  <span class="log-level">{l.level}</span>
                  <span class="log-text">{l.message}</span>
                </div>
              ))}
            </div>
          )
        }
      </Shown>
    </Section>
  );
}

const times = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

function clock(timestamp: string): string {
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? "" : times.format(at);
}
