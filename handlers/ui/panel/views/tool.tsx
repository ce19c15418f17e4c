import { call } from "../api.ts";
import { act, patch, refresh, useLive } from "../live.ts";
import type { PageProps as PageParams } from "../pages.ts";
import { Badge } from "../parts/badge.tsx";
import { laidOut, Visible } from "../parts/diff.tsx";
import { Switch } from "../parts/field.tsx";
import { Findings, Verdict } from "../parts/findings.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { count, duration, Time } from "../parts/time.tsx";
import { at, href } from "../route.ts";
import { clientOf, STATUS } from "./activity/labels.ts";
import { Hints, ToolState, Withheld } from "./tools/tool-labels.tsx";
import { type Defined, Try } from "./tools/try.tsx";

/** One tool: its definition, its approval, and a form to call it. */
export default function ToolPage({ server = "", tool: name = "" }: PageParams) {
  const tools = useLive("GET /api/v1/servers/{name}/tools", { params: { name: server } });
  const tool = tools.data?.tools.find((t) => t.name === name);
  const scan = tool?.scan;
  return (
    <Page
      title={name}
      crumbs={[
        ["Tools", "/tools"],
        [server, `/tools?server=${encodeURIComponent(server)}`],
      ]}
      about={tool && (tool.withheld ? <Withheld /> : <Visible text={tool.description.split("\n", 1)[0] ?? ""} />)}
      aside={
        tool && (
          <span class="row">
            <ToolState tool={tool} />
            {!tool.withheld && <Hints annotations={tool.annotations} />}
            <Verdict scan={scan} />
          </span>
        )
      }
    >
      <Shown of={tools}>
        {() =>
          tool ? (
            <div class="columns uneven" key={name}>
              <div class="stack">
                {!tool.withheld && <Try server={server} tool={tool} />}
                <Recent server={server} tool={name} />
              </div>
              <Definition server={server} tool={tool} scan={scan} />
            </div>
          ) : (
            <Section>
              <Empty
                icon="tools"
                title={`${server} has no tool with this name`}
                action={<a href={href("/tools")}>All tools</a>}
              >
                It may have been renamed, or the server is not connected.
              </Empty>
            </Section>
          )
        }
      </Shown>
    </Page>
  );
}

function Definition({
  server,
  tool,
  scan,
}: {
  server: string;
  tool: Defined;
  scan: Parameters<typeof Findings>[0]["scan"];
}) {
  return (
    <div class="stack">
      <Section title="About">
        <div class="stack">
          {tool.description.includes("\n") && (
            <p class="pre">
              <Visible text={tool.description} />
            </p>
          )}
          <Findings scan={scan} />
          <Allowed server={server} tool={tool} />
          <Facts
            of={[
              ["Id", <code key="id">{`${server}:${tool.name}`}</code>],
              ["Title", tool.title && <Visible text={tool.title} />],
              ["Calls in 30 days", count(tool.usage)],
              ["Last used", tool.last_used && <Time at={tool.last_used} />],
              ["Pin", tool.hash && <code key="pin">{tool.hash}</code>],
            ]}
          />
        </div>
      </Section>
      {!tool.withheld && (
        <Section title="Definition">
          <div class="stack">
            <Json label="Takes" value={tool.schema} />
            {tool.output_schema && <Json label="Gives" value={tool.output_schema} />}
            {tool.annotations && <Json label="Annotations" value={tool.annotations} />}
          </div>
        </Section>
      )}
    </div>
  );
}

function Json({ label, value }: { label: string; value: unknown }) {
  return (
    <div class="stack tight">
      <h3>{label}</h3>
      <pre class="block tall" tabIndex={0} role="group" aria-label={label}>
        <Visible text={laidOut(JSON.stringify(value))} />
      </pre>
    </div>
  );
}

/** The tool's state for clients; disabling hides it from them and keeps its approval. */
function Allowed({ server, tool }: { server: string; tool: Defined }) {
  const params = { name: server, tool: tool.name };
  const route = "POST /api/v1/servers/{name}/tools/{tool}/enabled" as const;
  if (tool.approval_status !== "approved" && !tool.disabled)
    return (
      <p class="notice warn">
        <span class="grow">
          No client can call it until {tool.withheld ? "an administrator approves" : "you approve"} it.
        </span>
        {!tool.withheld && (
          <a class="button small main" href={href(`/approvals?server=${encodeURIComponent(server)}`)}>
            Review
          </a>
        )}
      </p>
    );
  const set = (enabled: boolean) =>
    act(
      route,
      { params, body: { enabled } },
      {
        patches: [
          patch("GET /api/v1/servers/{name}/tools", { params: { name: server } }, (data) => ({
            ...data,
            tools: data.tools.map((t) => (t.name === tool.name ? { ...t, disabled: !enabled } : t)),
          })),
        ],
        done: `${tool.name} is ${enabled ? "enabled" : "disabled"}`,
        undo: async () => {
          await call(route, { params, body: { enabled: !enabled } });
          refresh(/tools/);
        },
      },
    );
  return (
    <Switch
      label="Enabled"
      hint="While the tool is disabled, clients do not see it. Its approval is kept."
      checked={!tool.disabled && !tool.config_denied}
      blocked={tool.config_denied && "The configuration of its server excludes it (enabled_tools or disabled_tools)."}
      onChange={set}
    />
  );
}

function Recent({ server, tool }: { server: string; tool: string }) {
  const calls = useLive("GET /api/v1/activity", { query: { type: "tool_call", server, tool, limit: "6" } });
  return (
    <Section
      title="Recent calls"
      flush
      actions={
        <a href={href(`/activity?server=${encodeURIComponent(server)}&tool=${encodeURIComponent(tool)}`)}>All</a>
      }
    >
      <Shown of={calls} lines={2}>
        {({ activities }) =>
          activities.length === 0 ? (
            <Empty icon="activity" title="Not called yet" />
          ) : (
            <ul class="lines dense">
              {activities.map((a) => (
                <li key={a.id}>
                  <Badge tone={STATUS[a.status][1]}>{STATUS[a.status][0]}</Badge>
                  <a class="grow truncate" href={href(at("activity", a.id))}>
                    <Time at={a.timestamp} /> {clientOf(a) && <span class="muted">by {clientOf(a)}</span>}
                  </a>
                  <span class="muted">{a.duration_ms !== undefined && duration(a.duration_ms)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Section>
  );
}
