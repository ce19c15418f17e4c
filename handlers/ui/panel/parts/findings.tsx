import type { ComponentChildren } from "preact";
import { verdictText } from "#lib/modules/scan/rules/verdict-text.ts";
import type { Data } from "../api.ts";
import { Badge, type Tone } from "./badge.tsx";
import { sentence } from "./time.tsx";

/** The result of the offline scan of one tool. */
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

/** Findings of severity high or critical, which a person must accept by name before the tool is approved. */
export const graveOf = (scan: Scan | undefined): Scan["findings"] =>
  scan?.findings.filter(({ severity }) => severity === "critical" || severity === "high") ?? [];

/** The rules with findings, by the most severe one: red from high, otherwise amber. */
export function Rules({ of }: { of: readonly { readonly rule: string; readonly severity: Severity }[] | undefined }) {
  if (!of || of.length === 0) return null;
  const grave = of.some(({ severity }) => SEVERITIES[severity] === "bad");
  return <Badge tone={grave ? "bad" : "warn"}>{`Scan: ${[...new Set(of.map(({ rule }) => rule))].join(", ")}`}</Badge>;
}

/** Sort rank, the most dangerous first. */
export const dangerRank = (scan: Pick<Scan, "verdict"> | undefined): number =>
  scan === undefined ? 3 : { dangerous: 0, suspicious: 1, clean: 2 }[scan.verdict];

export function Verdict({ scan }: { scan: Scan | undefined }) {
  return scan ? <Badge tone={TONES[scan.verdict]}>{`Scan: ${verdictText(scan)}`}</Badge> : null;
}

/** Lists the findings with location, excerpt and explanation. */
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

/** Lists findings in texts other than those of a tool. */
export function FindingList({ of, children }: FindingListProps) {
  // Several rules can match the same words, which are quoted once.
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
