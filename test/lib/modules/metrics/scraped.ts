import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

/** One line of the text format of Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string | undefined>>;
  readonly value: number;
}

/** Why promtool cannot check a text; false if it can. */
export const noPromtool = spawnSync("promtool", ["--version"]).error
  ? "promtool is not installed (Debian package prometheus)"
  : false;

/** Reads a text in the format of Prometheus, after its own program has found no fault in it. */
export async function scraped(text: string): Promise<Sample[]> {
  if (!noPromtool) {
    const checked = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
    assert.equal(checked.status, 0, checked.stderr + checked.stdout);
  }
  return text.split("\n").flatMap((line) => {
    const [, name, inner = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const labels = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, quoted]) => [
      label,
      quoted!.replace(/\\(.)/g, (_, sign) => (sign === "n" ? "\n" : sign)),
    ]);
    return [{ name, labels: Object.fromEntries(labels), value: Number(value) }];
  });
}

/** The sum of the samples with this name and these labels; undefined if there is none. */
export function sumOf(samples: readonly Sample[], name: string, labels: Record<string, string>): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
