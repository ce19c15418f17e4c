import { useState } from "preact/hooks";
import { call, type Data } from "../../api.ts";
import { act, refresh, useLive } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { confirm, Dialog } from "../../parts/dialog.tsx";
import { Compare } from "../../parts/diff.tsx";
import { keyLabel } from "../../parts/key-label.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { differing } from "./patch.ts";

type Version = Data<"GET /api/v1/config/history">["versions"][number];
interface Row extends Version {
  current: boolean;
}

/** Earlier versions of the file, with differences and restore. */
export function History() {
  const history = useLive("GET /api/v1/config/history", {});
  const [opened, setOpened] = useState<number>();
  return (
    <Shown of={history}>
      {({ versions }) => {
        const rows: Row[] = versions.map((v, i) => ({ ...v, current: i === 0 }));
        const row = rows.find((v) => v.version === opened);
        return (
          <Section flush>
            <Table
              label="Versions of the configuration"
              rows={rows}
              columns={COLUMNS}
              rowKey={(v) => String(v.version)}
              onOpen={(v) => setOpened(v.version)}
              empty={
                <Empty icon="settings" title="No earlier versions">
                  The proxy stores the previous content here at every change, including manual edits.
                </Empty>
              }
            />
            {row && <VersionDialog row={row} now={rows[0]?.version ?? 0} onClose={() => setOpened(undefined)} />}
          </Section>
        );
      }}
    </Shown>
  );
}

function serversText({ changed_servers: names = [] }: Version): string {
  if (names.length === 0) return keyLabel("mcpServers");
  return names.length === 1 ? `Server ${names[0]}` : `Servers ${names.join(", ")}`;
}

/** Maximum number of changed settings that a row names. */
const MAX_FIELDS = 3;

const COLUMNS: readonly Column<Row>[] = [
  {
    id: "version",
    title: "Version",
    width: "4.5rem",
    sort: (v) => -v.version,
    cell: (v) => <span class="name">{v.version}</span>,
  },
  {
    id: "when",
    title: "Since",
    width: "minmax(6rem, 9rem)",
    cell: (v) => <Time at={v.timestamp} />,
  },
  {
    id: "what",
    title: "Changed",
    width: "minmax(7rem, 3fr)",
    cell: (v) => (
      <span title={v.changed_fields.join(", ")}>
        {v.changed_fields
          .slice(0, MAX_FIELDS)
          .map((key) => (key === "mcpServers" ? serversText(v) : keyLabel(key)))
          .join(", ")}
        {v.changed_fields.length > MAX_FIELDS && (
          <span class="muted"> and {v.changed_fields.length - MAX_FIELDS} more</span>
        )}
      </span>
    ),
  },
  { id: "by", title: "By", width: "minmax(6rem, 1fr)", from: "medium", cell: (v) => <span class="muted">{v.by}</span> },
  {
    id: "now",
    title: "",
    width: "5.5rem",
    align: "end",
    from: "medium",
    cell: (v) => v.current && <Badge tone="ok">Active</Badge>,
  },
];

function VersionDialog({ row, now, onClose }: { row: Row; now: number; onClose(): void }) {
  const { version } = row;
  const then = useLive("GET /api/v1/config/history/{version}", { params: { version: String(version) } });
  const present = useLive("GET /api/v1/config", {});
  const restoreTo = (to: number) =>
    call("POST /api/v1/config/history/{version}/restore", { params: { version: String(to) } });
  const restore = async () => {
    const yes = await confirm({
      title: `Restore version ${version}?`,
      consequence:
        "This restores the complete configuration of that version, including servers and secrets. The current version stays in the history.",
      verb: "Restore",
    });
    if (!yes) return;
    const done = await act(
      "POST /api/v1/config/history/{version}/restore",
      { params: { version: String(version) } },
      {
        done: ({ message }) => `version ${version} is restored: ${message}`,
        undo: async () => {
          await restoreTo(now);
          refresh(/config|servers|status/);
        },
      },
    );
    refresh(/config/);
    if (done) onClose();
  };
  return (
    <Dialog
      title={`Version ${version}`}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {!row.current && (
            <Button kind="main" icon="refresh" onClick={restore}>
              Restore
            </Button>
          )}
        </>
      }
    >
      <p class="muted">
        <Time at={row.timestamp} />, by {row.by}. Secrets are masked.
      </p>
      <Shown of={then} lines={3}>
        {({ config }) => (
          <Shown of={present} lines={3}>
            {({ config: current }) => {
              const [before, after] = differing(config, current);
              if (row.current || Object.keys({ ...before, ...after }).length === 0)
                return <p>Apart from secrets, this is the current configuration.</p>;
              return (
                <Compare json before={JSON.stringify(before)} after={JSON.stringify(after)} labels={["Then", "Now"]} />
              );
            }}
          </Shown>
        )}
      </Shown>
    </Dialog>
  );
}
