import type { Data } from "../../api.ts";
import type { Answer } from "../../live.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { href } from "../../route.ts";

export type Scripts = Data<"GET /api/v1/code/scripts">;
type Script = Scripts["scripts"][number];

const WHY = {
  empty: "it is empty",
  oversized: "too large",
  unreadable: "unreadable",
  "non-regular": "not a plain file",
} as const;

/** The stored scripts, which clients run by name; the panel does not change them. */
export function Stored(props: {
  scripts: Answer<Scripts>;
  open: string | undefined;
  busy: boolean;
  onRun(name: string): void;
}) {
  const { scripts, open, busy, onRun } = props;
  return (
    <Section
      title="Stored scripts"
      flush
      actions={<Button small kind="bare" icon="refresh" label="Refresh" onClick={scripts.refresh} />}
    >
      <Shown of={scripts} lines={2}>
        {({ dir, scripts: all }) =>
          all.length === 0 ? (
            <Empty icon="code" title="No scripts yet">
              Clients can run each .js or .ts file in <code>{dir}</code> by its name.
            </Empty>
          ) : (
            <>
              <ul class="lines dense">
                {all.map((s) => (
                  <li key={s.name} aria-current={s.name === open ? "true" : undefined}>
                    <One script={s} busy={busy} onRun={onRun} />
                  </li>
                ))}
              </ul>
              <p class="foot hint">
                <span class="grow">
                  Folder: <code>{dir}</code>
                </span>
                <Copy text={dir} label="Copy path" />
              </p>
            </>
          )
        }
      </Shown>
    </Section>
  );
}

function One({
  script: { name, paths, status, reason },
  busy,
  onRun,
}: {
  script: Script;
  busy: boolean;
  onRun(name: string): void;
}) {
  if (status !== "ok")
    return (
      <>
        <span class="grow name">{name}</span>
        <Badge tone="warn">{status === "ambiguous" ? "two of this name" : reason ? WHY[reason] : "unusable"}</Badge>
      </>
    );
  return (
    <>
      <a class="grow name truncate" href={href(`/code?script=${encodeURIComponent(name)}`)}>
        {name}
      </a>
      <Tag>{paths[0]?.endsWith(".ts") ? "TypeScript" : "JavaScript"}</Tag>
      <Button
        small
        kind="bare"
        icon="play"
        label={`Run ${name}`}
        blocked={busy && "A script is running."}
        onClick={() => onRun(name)}
      />
    </>
  );
}
