import type { Data } from "../api.ts";
import { Badge, Tag } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Visible } from "../parts/diff.tsx";
import { Findings, graveOf, Verdict } from "../parts/findings.tsx";
import { count } from "../parts/time.tsx";
import type { Choice } from "./tool-choices.tsx";

/** A prompt, resource or resource template. */
export type Item = Data<"GET /api/v1/prompts">["items"][number];

export const KINDS = { prompt: "Prompt", resource: "Resource", template: "Template" } as const;

/** A name may be that of a prompt and of a resource. */
export const itemKey = ({ kind, server_name, name }: Item) => `${kind} ${server_name}:${name}`;

/** Each prompt, resource and template with what it says, what the scan says of it, and a box. */
export function ItemChoices({ choice, total }: { choice: Choice<Item>; total: number }) {
  const { shown, ticked, setTicked, showMore } = choice;
  const toggle = (key: string) => {
    const next = new Set(ticked);
    if (!next.delete(key)) next.add(key);
    setTicked(next);
  };
  return (
    <>
      <ul class="choices tools" aria-label="Prompts and resources to approve">
        {shown.map((item) => (
          <Row
            key={itemKey(item)}
            item={item}
            ticked={ticked.has(itemKey(item))}
            onToggle={() => toggle(itemKey(item))}
          />
        ))}
      </ul>
      {showMore && (
        <div class="row">
          <Button small onClick={showMore}>
            Show more
          </Button>
          <span class="hint">
            {count(shown.length)} of {count(total)} are shown. What is not shown stays pending.
          </span>
        </div>
      )}
    </>
  );
}

function Row({ item, ticked, onToggle }: { item: Item; ticked: boolean; onToggle(): void }) {
  const { kind, name, description, scan, approval_status } = item;
  const isGrave = graveOf(scan).length > 0;
  return (
    <li class={isGrave ? "grave" : ""}>
      <label>
        <input type="checkbox" checked={ticked} onChange={onToggle} />
        <span class="name">
          <Visible text={name} />
        </span>
        {approval_status === "changed" && <Badge tone="warn">Changed</Badge>}
        <Tag>{KINDS[kind].toLowerCase()}</Tag>
        {scan?.verdict !== "clean" && <Verdict scan={scan} />}
      </label>
      {description !== "" && (
        <p class="pre">
          <Visible text={description} />
        </p>
      )}
      {isGrave && (
        <p class="hint">
          {ticked
            ? "Selected: you accept these findings, and it will be approved."
            : "Not selected: select it only if you accept these findings."}
        </p>
      )}
      <Findings scan={scan} />
      <Arguments item={item} />
    </li>
  );
}

/** The arguments of a prompt, whose texts an approval covers as well. */
function Arguments({ item: { arguments: args = [] } }: { item: Item }) {
  if (args.length === 0) return null;
  return (
    <details>
      <summary>Arguments</summary>
      <ul class="prose">
        {args.map((arg) => (
          <li key={arg.name}>
            <code>
              <Visible text={arg.name} />
            </code>
            {arg.required && " (required)"} {arg.description && <Visible text={arg.description} />}
          </li>
        ))}
      </ul>
    </details>
  );
}
