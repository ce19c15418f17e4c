import { useState } from "preact/hooks";
import type { Data } from "../api.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { laidOut, Visible } from "../parts/diff.tsx";
import { dangerRank, Findings, graveOf, Verdict } from "../parts/findings.tsx";
import { count } from "../parts/time.tsx";
import { Hints } from "../views/tools/tool-labels.tsx";

/** A tool with everything that an approval covers. */
export type Candidate = Data<"GET /api/v1/servers/{name}/tools">["tools"][number];

/** Tools are shown this many at a time; what is not shown is not approved. */
const STEP = 100;

/** Tools or other items that a person decides about, and which of them are on the screen and ticked. */
export interface Choice<T = Candidate> {
  readonly shown: readonly T[];
  /** Keys of those ticked. */
  readonly ticked: ReadonlySet<string>;
  setTicked(ticked: ReadonlySet<string>): void;
  showMore?: () => void;
}

/** Dangerous ones come first; those with findings of severity high or critical begin unticked. */
export function useChoice<T extends Pick<Candidate, "name" | "scan">>(
  candidates: readonly T[],
  keyOf: (candidate: T) => string = nameOf,
): Choice<T> {
  const sorted = [...candidates].sort((a, b) => dangerRank(a.scan) - dangerRank(b.scan));
  const [size, setSize] = useState(STEP);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(sorted.slice(0, STEP).filter(isHarmless).map(keyOf)),
  );
  const showMore = () => {
    const added = sorted.slice(size, size + STEP).filter(isHarmless);
    setTicked(new Set([...ticked, ...added.map(keyOf)]));
    setSize(size + STEP);
  };
  return { shown: sorted.slice(0, size), ticked, setTicked, ...(size < sorted.length && { showMore }) };
}

const isHarmless = ({ scan }: Pick<Candidate, "scan">) => graveOf(scan).length === 0;
const nameOf = ({ name }: Pick<Candidate, "name">) => name;

/** Each tool with what it says it does, what the scan says of it, and a box. */
export function ToolChoices({ choice, total }: { choice: Choice; total: number }) {
  const { shown, ticked, setTicked, showMore } = choice;
  const toggle = (name: string) => {
    const next = new Set(ticked);
    if (!next.delete(name)) next.add(name);
    setTicked(next);
  };
  return (
    <>
      <ul class="choices tools" aria-label="Tools to approve">
        {shown.map((tool) => (
          <Row key={tool.name} tool={tool} ticked={ticked.has(tool.name)} onToggle={() => toggle(tool.name)} />
        ))}
      </ul>
      {showMore && (
        <div class="row">
          <Button small onClick={showMore}>
            Show more
          </Button>
          <span class="hint">
            {count(shown.length)} of {count(total)} are shown. Tools not shown stay pending.
          </span>
        </div>
      )}
    </>
  );
}

function Row({ tool, ticked, onToggle }: { tool: Candidate; ticked: boolean; onToggle(): void }) {
  const { name, description, scan, annotations, schema, approval_status } = tool;
  const grave = graveOf(scan).length > 0;
  return (
    <li class={grave ? "grave" : ""}>
      <label>
        <input type="checkbox" checked={ticked} onChange={onToggle} />
        <span class="name">
          <Visible text={name} />
        </span>
        {approval_status === "changed" && <Badge tone="warn">Changed</Badge>}
        <Hints annotations={annotations} />
        {scan?.verdict !== "clean" && <Verdict scan={scan} />}
      </label>
      <p class={scan && scan.findings.length > 0 ? "pre" : "pre clamp-3"}>
        <Visible text={description} />
      </p>
      {grave && (
        <p class="hint">
          {ticked
            ? "Selected: you accept these findings, and the tool will be approved."
            : "Not selected: select this tool only if you accept these findings."}
        </p>
      )}
      <Findings scan={scan} />
      <details>
        <summary>Full definition</summary>
        <p class="pre">
          <Visible text={description} />
        </p>
        <pre class="block" tabIndex={0} role="group" aria-label={`Input schema of ${name}`}>
          <Visible text={laidOut(JSON.stringify(schema))} />
        </pre>
      </details>
    </li>
  );
}
