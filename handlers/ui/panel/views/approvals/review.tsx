import type { Data } from "../../api.ts";
import { useLive } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Compare, laidOut, Visible } from "../../parts/diff.tsx";
import { Findings, graveOf, Verdict } from "../../parts/findings.tsx";
import { Section } from "../../parts/page.tsx";
import { Shown } from "../../parts/states.tsx";
import { at, href } from "../../route.ts";
import type { Waiting } from "./decide.tsx";

type Diff = Data<"GET /api/v1/servers/{name}/tools/{tool}/diff">;

/** The members that an approval covers, by importance to the reader. */
const FIELDS = [
  ["Title", "title", false],
  ["Description", "description", false],
  ["Input schema", "schema", true],
  ["Output schema", "output_schema", true],
  ["Annotations", "annotations", true],
  ["Icons", "icons", true],
  ["Metadata (_meta)", "meta", true],
] as const;

/** One complete tool with its changes and findings; a dialog on narrow screens. */
export function Review(props: {
  tool: Waiting;
  onApprove(): Promise<void>;
  onBlock(): Promise<void>;
  onClose?: () => void;
}) {
  const { tool, onApprove, onBlock, onClose } = props;
  const diff = useLive("GET /api/v1/servers/{name}/tools/{tool}/diff", {
    params: { name: tool.server_name, tool: tool.name },
  });
  const scan = diff.data?.scan ?? tool.scan;
  const grave = graveOf(scan).length > 0;
  const buttons = (
    <>
      <Button kind={grave ? "main" : "plain"} onClick={onBlock}>
        Block <kbd aria-hidden="true">b</kbd>
      </Button>
      <Button kind={grave ? "bad" : "main"} icon={grave ? "warn" : "check"} onClick={onApprove}>
        Approve <kbd aria-hidden="true">a</kbd>
      </Button>
    </>
  );
  const body = (
    <div class="stack">
      <div class="row">
        {tool.approval_status === "changed" ? <Badge tone="warn">Changed</Badge> : <Badge tone="wait">New</Badge>}
        <Verdict scan={scan} />
        <a href={href(at("servers", tool.server_name))}>{tool.server_name}</a>
      </div>
      <Findings scan={scan} />
      <Shown of={diff}>{(data) => <Fields diff={data} />}</Shown>
    </div>
  );
  if (onClose)
    return (
      <Dialog title={tool.name} size="wide" onClose={onClose} actions={buttons}>
        {body}
      </Dialog>
    );
  return (
    <Section title={tool.name} actions={buttons}>
      {body}
    </Section>
  );
}

/** All members that an approval covers; for a changed tool, the differences. */
function Fields({ diff }: { diff: Diff }) {
  const changed = FIELDS.filter(([, key]) => diff[`previous_${key}`] !== diff[`current_${key}`]);
  if (diff.status === "changed")
    return (
      <>
        {changed.map(([title, key, json]) => (
          <div key={key} class="stack tight">
            <h3>{title}</h3>
            <Compare before={diff[`previous_${key}`]} after={diff[`current_${key}`]} json={json} />
          </div>
        ))}
        <Same diff={diff} but={changed.map(([, key]) => key)} />
      </>
    );
  return (
    <>
      {FIELDS.filter(([, key]) => !empty(diff[`current_${key}`])).map(([title, key, json]) => (
        <div key={key} class="stack tight">
          <h3>{title}</h3>
          {json ? (
            <pre class="block" tabIndex={0} role="group" aria-label={title}>
              <Visible text={laidOut(diff[`current_${key}`])} />
            </pre>
          ) : (
            <p class="pre">
              <Visible text={diff[`current_${key}`]} />
            </p>
          )}
        </div>
      ))}
    </>
  );
}

/** The unchanged members. */
function Same({ diff, but }: { diff: Diff; but: readonly string[] }) {
  const same = FIELDS.filter(([, key]) => !but.includes(key) && !empty(diff[`current_${key}`]));
  if (same.length === 0) return null;
  return <p class="hint">Unchanged: {same.map(([title]) => title.toLowerCase()).join(", ")}.</p>;
}

const empty = (text: string) => text === "" || text === "{}" || text === "null";
