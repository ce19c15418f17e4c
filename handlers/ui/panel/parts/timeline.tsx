import { href } from "../route.ts";
import { duration } from "./time.tsx";

/** One item on the timeline. */
export interface Span {
  id: string;
  label: string;
  /** Text after the label. */
  about?: string | undefined;
  /** Start (ms since the epoch), and duration (ms). */
  from: number;
  took: number;
  bad: boolean;
  /** Link to its details. */
  to?: string;
}

/** A timeline of nested items, each as a bar at its start with its duration. */
export function Timeline({ label, spans }: { label: string; spans: readonly Span[] }) {
  const sorted = [...spans].sort((a, b) => a.from - b.from);
  const from = Math.min(...sorted.map((s) => s.from));
  const whole = Math.max(1, Math.max(...sorted.map((s) => s.from + s.took)) - from);
  return (
    <ol class="timeline" aria-label={label}>
      {sorted.map((s) => {
        const left = ((s.from - from) / whole) * 100;
        const inner = (
          <>
            <span class="truncate">
              <span class="name">{s.label}</span> <span class="muted">{s.about}</span>
              {s.bad && <span class="unsaid">failed</span>}
            </span>
            <span class="timeline-track" aria-hidden="true">
              <i
                class={s.bad ? "bad" : ""}
                style={{ left: `min(${left}%, 100% - 3px)`, width: `max(3px, ${(s.took / whole) * 100}%)` }}
              />
            </span>
            <span class="timeline-took">{duration(s.took)}</span>
          </>
        );
        return <li key={s.id}>{s.to ? <a href={href(s.to)}>{inner}</a> : <div>{inner}</div>}</li>;
      })}
    </ol>
  );
}
