import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Data } from "../api.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Visible } from "../parts/diff.tsx";
import { dangerRank, Findings, graveOf, Verdict } from "../parts/findings.tsx";
import { count } from "../parts/time.tsx";

/** The members that tools, prompts, resources and templates share. */
type Decidable = Pick<
  Data<"GET /api/v1/servers/{name}/tools">["tools"][number],
  "name" | "description" | "scan" | "approval_status"
>;

/** Rows are shown this many at a time; a row that is not shown is not approved. */
const STEP = 100;

/** Tools or other items that a person decides about, and which of them are on the screen and ticked. */
interface Choice<Row> {
  readonly shown: readonly Row[];
  readonly total: number;
  /** Keys of the ticked rows. */
  readonly ticked: ReadonlySet<string>;
  setTicked(ticked: ReadonlySet<string>): void;
  showMore?: () => void;
  keyOf(row: Row): string;
}

/** Dangerous rows come first; those with findings of severity high or critical begin unticked. */
export function useChoice<Row extends Decidable>(candidates: readonly Row[], keyOf: (row: Row) => string): Choice<Row> {
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
  return {
    shown: sorted.slice(0, size),
    total: candidates.length,
    ticked,
    setTicked,
    keyOf,
    ...(size < sorted.length && { showMore }),
  };
}

const isHarmless = ({ scan }: Decidable) => graveOf(scan).length === 0;

interface ChoicesProps<Row> {
  choice: Choice<Row>;
  /** Name of the list. */
  label: string;
  /** The rows in a sentence: "Tools". */
  plural: string;
  /** One row in a sentence: "the tool". */
  singular: string;
  /** Beside the name: hints or the kind. */
  tags(row: Row): ComponentChildren;
  /** Classes of the description. */
  descriptionClass(row: Row): string;
  /** Below the findings: the rest of what an approval covers. */
  details(row: Row): ComponentChildren;
}

/** Each row with its description, the findings of the scan, and a box. */
export function Choices<Row extends Decidable>(props: ChoicesProps<Row>) {
  const { choice, label } = props;
  const { shown, total, ticked, setTicked, showMore, keyOf } = choice;
  const toggle = (key: string) => {
    const next = new Set(ticked);
    if (!next.delete(key)) next.add(key);
    setTicked(next);
  };
  return (
    <>
      <ul class="choices tools" aria-label={label}>
        {shown.map((row) => {
          const key = keyOf(row);
          return <ChoiceRow key={key} {...props} row={row} ticked={ticked.has(key)} onToggle={() => toggle(key)} />;
        })}
      </ul>
      {showMore && (
        <div class="row">
          <Button small onClick={showMore}>
            Show more
          </Button>
          <span class="hint">
            {count(shown.length)} of {count(total)} are shown. {props.plural} not shown stay pending.
          </span>
        </div>
      )}
    </>
  );
}

function ChoiceRow<Row extends Decidable>(props: ChoicesProps<Row> & { row: Row; ticked: boolean; onToggle(): void }) {
  const { row, ticked, onToggle, singular } = props;
  const { name, description, scan, approval_status } = row;
  const isGrave = !isHarmless(row);
  return (
    <li class={isGrave ? "grave" : ""}>
      <label>
        <input type="checkbox" checked={ticked} onChange={onToggle} />
        <span class="name">
          <Visible text={name} />
        </span>
        {approval_status === "changed" && <Badge tone="warn">Changed</Badge>}
        {props.tags(row)}
        {scan?.verdict !== "clean" && <Verdict scan={scan} />}
      </label>
      {description !== "" && (
        <p class={props.descriptionClass(row)}>
          <Visible text={description} />
        </p>
      )}
      {isGrave && (
        <p class="hint">
          {ticked
            ? `Selected: you accept these findings, and ${singular} will be approved.`
            : `Not selected: select ${singular} only if you accept these findings.`}
        </p>
      )}
      <Findings scan={scan} />
      {props.details(row)}
    </li>
  );
}
