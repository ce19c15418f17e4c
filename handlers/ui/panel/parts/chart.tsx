import { useEffect, useRef } from "preact/hooks";
import type UPlot from "uplot";
import { dark } from "../theme.ts";
import { useValue } from "../value.ts";

interface Line {
  label: string;
  values: readonly number[];
  tone: "accent" | "bad" | "ok" | "warn";
  format?: (value: number) => string;
}

/**
 * A bar chart of values over time. The library is loaded on demand; the content is also available as text.
 *
 * @param times seconds since the epoch, one for each value
 */
export function Chart({
  label,
  times,
  lines,
  height = 160,
}: {
  label: string;
  times: readonly number[];
  lines: readonly Line[];
  height?: number;
}) {
  const box = useRef<HTMLDivElement>(null);
  const isDark = useValue(dark);
  const data = JSON.stringify([times, ...lines.map((l) => l.values)]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let plot: UPlot | undefined;
    let over = false;
    const draw = async () => {
      const { default: Plot } = await import("uplot");
      if (over) return;
      plot = new Plot(options(Plot, element, lines, height), JSON.parse(data), element);
    };
    void draw();
    const resize = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      over = true;
      resize.disconnect();
      plot?.destroy();
    };
  }, [data, isDark, height]);
  return (
    <figure class="chart">
      <div ref={box} role="img" aria-label={`${label}: ${inWords(lines)}`} style={{ minHeight: `${height}px` }} />
      <figcaption>
        {lines.map(({ label: name, tone }) => (
          <span key={name} class={`key ${tone}`}>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function inWords(lines: readonly Line[]): string {
  return lines
    .map(({ label, values, format = String }) => `${label} ${format(values.reduce((sum, v) => sum + v, 0))}in total`)
    .join(", ");
}

function options(Plot: typeof UPlot, element: HTMLElement, lines: readonly Line[], height: number): UPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => resolved(element, style.getPropertyValue(`--${name}`));
  const grid = { stroke: colour("line"), width: 1 };
  const axis = { stroke: colour("text-3"), font: `11px ${style.fontFamily}`, grid, ticks: { show: false } };
  const bars = Plot.paths.bars;
  return {
    width: element.clientWidth,
    height,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { points: { show: false }, y: false, drag: { x: false, y: false } },
    // Space for half a bar at each end.
    scales: {
      x: { range: (plot, min, max) => [min - stepOf(plot) / 2, max + stepOf(plot) / 2] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 70, size: 30, gap: 8, values: (_, splits) => splits.map(clock) },
      { ...axis, size: 42, splits: (_, __, ___, max) => nice(max), values: (_, splits) => splits.map(shortNumber) },
    ],
    series: [
      {},
      ...lines.map(({ label, tone }) => ({
        label,
        stroke: colour(tone),
        fill: colour(tone),
        width: 0,
        ...(bars && { paths: bars({ size: [0.7, 28], radius: 0.15 }) }),
        points: { show: false },
      })),
    ],
  };
}

/** Resolves a colour for the canvas, which does not support `light-dark()`. */
function resolved(element: HTMLElement, value: string): string {
  const probe = document.createElement("i");
  probe.style.color = value;
  element.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function stepOf({ data }: UPlot): number {
  const [first = 0, second = first] = data[0] ?? [];
  return second - first;
}

function nice(max: number): number[] {
  const step = 10 ** Math.floor(Math.log10(Math.max(max, 1) / 2));
  const unit = Math.max(1, [1, 2, 5, 10].map((n) => n * step).find((s) => max / s <= 4) ?? step * 10);
  return Array.from({ length: Math.floor(max / unit) + 1 }, (_, i) => i * unit);
}

const hours = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const days = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });

/** The time of day, or the date at midnight. */
function clock(seconds: number): string {
  const at = new Date(seconds * 1000);
  return at.getHours() === 0 && at.getMinutes() === 0 ? days.format(at) : hours.format(at);
}

const short = new Intl.NumberFormat("en", { notation: "compact" });
const shortNumber = (n: number) => short.format(n);
