import { useState } from "preact/hooks";
import { call, type Data } from "../../api.ts";
import { act, patch, useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { laidOut, Visible } from "../../parts/diff.tsx";
import { Switch } from "../../parts/field.tsx";
import { dangerRank, Findings, Verdict } from "../../parts/findings.tsx";
import type { Server } from "../../parts/health.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { count, Time } from "../../parts/time.tsx";
import { at, href } from "../../route.ts";
import { ABOUT, CALLS, DOES, Hints, STATE, ToolState, USED, Withheld } from "../tools/tool-labels.tsx";

type Tool = Data<"GET /api/v1/servers/{name}/tools">["tools"][number];

/** The tools of one server, to enable, disable and open. */
export function ServerTools({ server }: { server: Server }) {
  const { name } = server;
  const tools = useLive("GET /api/v1/servers/{name}/tools", { params: { name } });
  const [opened, setOpened] = useState<string>();
  const failed = server.enabled && server.health.level === "unhealthy";
  return (
    <Shown of={tools}>
      {({ tools: rows }) => {
        const tool = rows.find((t) => t.name === opened);
        if (rows.length === 0)
          return (
            <Section>
              <Empty
                icon="tools"
                title="No tools listed"
                action={
                  failed && (
                    <>
                      <a class="button" href={href(at("servers", name, "log"))}>
                        View log
                      </a>
                      <a class="button" href={href(at("servers", name, "settings"))}>
                        Change settings
                      </a>
                    </>
                  )
                }
              >
                {failed
                  ? "The server fails before it lists its tools. Its log shows what it wrote; its settings contain the command, the environment and the secrets."
                  : server.enabled
                    ? "The tools are listed when the server is connected."
                    : "Enable the server to list its tools."}
              </Empty>
            </Section>
          );
        return (
          <Section flush>
            <Table
              label={`Tools of ${name}`}
              rows={[...rows].sort((a, b) => dangerRank(a.scan) - dangerRank(b.scan))}
              columns={COLUMNS}
              rowKey={(t) => t.name}
              onOpen={(t) => setOpened(t.name)}
            />
            {tool && <ToolDialog server={name} tool={tool} onClose={() => setOpened(undefined)} />}
          </Section>
        );
      }}
    </Shown>
  );
}

const COLUMNS: readonly Column<Tool>[] = [
  {
    id: "name",
    title: "Tool",
    width: "minmax(8rem, 1.6fr)",
    sort: (t) => t.name,
    cell: (t) => <span class="name">{t.name}</span>,
  },
  STATE,
  ABOUT,
  DOES,
  CALLS,
  USED,
];

function ToolDialog({ server, tool, onClose }: { server: string; tool: Tool; onClose(): void }) {
  const params = { name: server, tool: tool.name };
  const waits = tool.approval_status !== "approved";
  const set = (enabled: boolean) =>
    act(
      "POST /api/v1/servers/{name}/tools/{tool}/enabled",
      { params, body: { enabled } },
      {
        patches: [
          patch("GET /api/v1/servers/{name}/tools", { params: { name: server } }, (data) => ({
            ...data,
            tools: data.tools.map((t) => (t.name === tool.name ? { ...t, disabled: !enabled } : t)),
          })),
        ],
        done: `${tool.name} is ${enabled ? "enabled" : "disabled"}`,
        undo: () => call("POST /api/v1/servers/{name}/tools/{tool}/enabled", { params, body: { enabled: !enabled } }),
      },
    );
  return (
    <Dialog
      title={tool.name}
      size="wide"
      onClose={onClose}
      actions={
        <>
          {waits && (
            <a class="button main" href={href(`/approvals?server=${encodeURIComponent(server)}`)}>
              Review
            </a>
          )}
          {!waits && (
            <a class="button" href={href(at("tools", server, tool.name))}>
              Try it
            </a>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div class="row">
        <ToolState tool={tool} />
        {!tool.withheld && <Hints annotations={tool.annotations} />}
        <Verdict scan={tool.scan} />
      </div>
      <Findings scan={tool.scan} />
      <Switch
        label="Enabled"
        hint="While the tool is disabled, clients do not see it. Its approval is kept."
        checked={!tool.disabled && !tool.config_denied}
        blocked={tool.config_denied && "The configuration of its server excludes it (enabled_tools or disabled_tools)."}
        onChange={set}
      />
      <p class="pre">{tool.withheld ? <Withheld /> : <Visible text={tool.description} />}</p>
      <Facts
        of={[
          ["Id", <code key="id">{`${server}:${tool.name}`}</code>],
          ["Title", tool.title],
          ["Calls in 30 days", count(tool.usage)],
          ["Last used", tool.last_used && <Time at={tool.last_used} />],
          ["Pin", tool.hash && <code key="pin">{tool.hash}</code>],
        ]}
      />
      {!tool.withheld && (
        <>
          <h3>Takes</h3>
          <pre class="block" tabIndex={0} role="group" aria-label="Input schema">
            <Visible text={laidOut(JSON.stringify(tool.schema))} />
          </pre>
        </>
      )}
      {tool.output_schema && (
        <>
          <h3>Gives</h3>
          <pre class="block" tabIndex={0} role="group" aria-label="Output schema">
            <Visible text={laidOut(JSON.stringify(tool.output_schema))} />
          </pre>
        </>
      )}
    </Dialog>
  );
}
