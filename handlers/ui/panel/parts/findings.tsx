import type { ComponentChildren } from "preact";
import { verdictText } from "#lib/modules/scan/rules/verdict-text.ts";
import type { Data } from "../api.ts";
import { Badge, type Tone } from "./badge.tsx";
import { sentence } from "./time.tsx";

/** What the offline scan says of one tool. */
type Scan = NonNullable<Data<"GET /api/v1/tools">["tools"][number]["scan"]>;

const TONES: Record<Scan["verdict"], Tone> = { clean: "ok", suspicious: "warn", dangerous: "bad" };
type Severity = Scan["findings"][number]["severity"];

const SEVERITIES: Record<Severity, Tone> = {
  critical: "bad",
  high: "bad",
  medium: "warn",
  low: "info",
  info: "info",
};

/** Findings of severity high or critical: a person accepts them by name before the tool is approved. */
export const graveOf = (scan: Scan | undefined): Scan["findings"] =>
  scan?.findings.filter(({ severity }) => severity === "critical" || severity === "high") ?? [];

/** The rules that found something in texts, by the worst severity: red from high on, amber below. */
export function Rules({ of }: { of: readonly { readonly rule: string; readonly severity: Severity }[] | undefined }) {
  if (!of || of.length === 0) return null;
  const grave = of.some(({ severity }) => SEVERITIES[severity] === "bad");
  return <Badge tone={grave ? "bad" : "warn"}>{`Scan: ${[...new Set(of.map(({ rule }) => rule))].join(", ")}`}</Badge>;
}

/** The most dangerous first. */
export const dangerRank = (scan: Pick<Scan, "verdict"> | undefined): number =>
  scan === undefined ? 3 : { dangerous: 0, suspicious: 1, clean: 2 }[scan.verdict];

export function Verdict({ scan }: { scan: Scan | undefined }) {
  return scan ? <Badge tone={TONES[scan.verdict]}>{`Scan: ${verdictText(scan)}`}</Badge> : null;
}

/** Each finding with where it is, what was found and why it matters. */
export function Findings({ scan }: { scan: Scan | undefined }) {
  if (!scan || scan.findings.length === 0) return null;
  return (
    <FindingList of={scan.findings}>
      {!scan.complete && <li class="muted">The text was longer than the scan's limit; the rest was not scanned.</li>}
    </FindingList>
  );
}

interface FindingListProps {
  of: readonly (Omit<Scan["findings"][number], "excerpt"> & { readonly excerpt?: string })[];
  children?: ComponentChildren;
}

/** The same for findings in other texts than those of a tool. */
export function FindingList({ of, children }: FindingListProps) {
  // Several rules may find the same words; they are quoted once.
  const quoted = new Set<string | undefined>();
  const first = (text: string | undefined) => !quoted.has(text) && quoted.add(text) && text;
  return (
    <ul class="findings" aria-label="What the scan found">
      {of.map((f, i) => (
        <li key={`${f.rule} ${i}`}>
          <Badge tone={SEVERITIES[f.severity]}>{f.severity}</Badge>
          <div class="stack tight">
            <p title={f.rule}>
              {sentence(f.explanation)} <span class="muted">in {f.location}</span>
            </p>
            {first(f.excerpt) && <blockquote>{f.excerpt}</blockquote>}
          </div>
        </li>
      ))}
      {children}
    </ul>
  );
}
