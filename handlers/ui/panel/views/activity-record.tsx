import { useState } from "preact/hooks";
import { activityClientText } from "#lib/core/verbs/activity/activity-text.ts";
import type { Data } from "../api.ts";
import { useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Badge, Tag } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Copy } from "../parts/copy.tsx";
import { laidOut, Visible } from "../parts/diff.tsx";
import { Icon } from "../parts/icon.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { bytes, exactTime, sentence, Time } from "../parts/time.tsx";
import { at, href } from "../route.ts";
import { answerText, isObject } from "./activity/answer.ts";
import { kindsOf, SOURCES, STATUS, subjectOf, TYPES, took } from "./activity/labels.ts";
import { ScriptCalls } from "./activity/script-calls.tsx";

type Detail = Data<"GET /api/v1/activity/{id}">["activity"];

/** One complete activity record: request, response and related records. */
export default function ActivityRecordPage({ id = "" }: PageProps) {
  const record = useLive("GET /api/v1/activity/{id}", { params: { id } });
  const one = record.data?.activity;
  return (
    <Page
      title={one ? subjectOf(one) : "One record"}
      crumbs={[["Activity", "/activity"]]}
      aside={
        one && (
          <span class="row">
            <Badge tone={STATUS[one.status][1]}>{STATUS[one.status][0]}</Badge>
            <Tag>{TYPES[one.type]}</Tag>
          </span>
        )
      }
    >
      <Shown of={record}>{({ activity }) => <Whole of={activity} />}</Shown>
    </Page>
  );
}

/** Maximum length of an error that is repeated above the response (characters). */
const MAX_TOLD = 300;

function Whole({ of: one }: { of: Detail }) {
  // The record of a tool error says only that there was one; the text is in the response.
  const told = one.status === "error" && one.response !== undefined ? answerText(one.response) : undefined;
  return (
    <>
      {one.error_message && (
        <p class={`notice ${one.status === "error" ? "bad" : "warn"}`}>
          <Icon name={one.status === "error" ? "bad" : "warn"} />
          <span class="grow pre">
            <Visible text={sentence(one.error_message)} />
            {told && (
              <>
                : <Visible text={told.length > MAX_TOLD ? `${told.slice(0, MAX_TOLD)}…` : told} />
              </>
            )}
          </span>
        </p>
      )}
      {one.has_sensitive_data && (
        <p class="notice warn">
          <Icon name="shield" />
          <span class="grow">
            Sensitive data was found ({one.max_severity}): {kindsOf(one).join(", ")}. The values are masked here.
          </span>
        </p>
      )}
      <div class="columns uneven">
        <div class="stack">
          {one.type === "code_execution" && <ScriptCalls of={one} />}
          {one.type === "code_execution" && <Code of={one} />}
          {one.arguments !== undefined && one.type !== "code_execution" && (
            <Body title="Request" text={JSON.stringify(one.arguments)} size={one.request_bytes} />
          )}
          {one.response !== undefined && (
            <Body title="Response" text={one.response} size={one.response_bytes} cut={one.response_truncated} />
          )}
          {one.arguments === undefined && one.response === undefined && one.type !== "code_execution" && (
            <Section>
              <Empty icon="activity" title="No request or response">
                This record has only the details shown beside it.
              </Empty>
            </Section>
          )}
        </div>
        <div class="stack">
          <About of={one} />
          <SameRequest of={one} />
        </div>
      </div>
    </>
  );
}

function Body({
  title,
  text,
  size,
  cut,
}: {
  title: string;
  text: string;
  size?: number | undefined;
  cut?: boolean | undefined;
}) {
  const [raw, setRaw] = useState(false);
  const read = answerText(text);
  const all = laidOut(raw ? text : (read ?? text));
  return (
    <Section
      title={title}
      actions={
        <>
          {read !== undefined && (
            <Button small pressed={raw} onClick={() => setRaw(!raw)}>
              Raw
            </Button>
          )}
          {size !== undefined && <span class="muted">{bytes(size)}</span>}
          <Copy text={all} label={`Copy: ${title}`} />
        </>
      }
    >
      <pre class="block tall" tabIndex={0} role="group" aria-label={title}>
        <Visible text={all} />
      </pre>
      {cut && <p class="hint">The rest was not stored (activity_max_response_size).</p>}
    </Section>
  );
}

/** A script, its input and its output, in their original form. */
function Code({ of: { arguments: args, metadata } }: { of: Detail }) {
  const { code, input } = (args ?? {}) as { code?: unknown; input?: unknown };
  const said = Array.isArray(metadata?.console) ? metadata.console.join("\n") : "";
  return (
    <>
      {typeof code === "string" && <Body title="Code" text={code} />}
      {input !== undefined && JSON.stringify(input) !== "{}" && <Body title="Input" text={JSON.stringify(input)} />}
      {said !== "" && <Body title="Console" text={said} />}
    </>
  );
}

function About({ of: one }: { of: Detail }) {
  const { script, console: _, client_name, client_version, client_ip, intent, ...rest } = one.metadata ?? {};
  return (
    <Section title="About">
      <Facts
        of={[
          [
            "When",
            <span key="t">
              <Time at={one.timestamp} /> <span class="muted">{exactTime(one.timestamp)}</span>
            </span>,
          ],
          ["Duration", took(one)],
          ["Server", one.server_name && <a href={href(at("servers", one.server_name))}>{one.server_name}</a>],
          [
            "Tool",
            one.server_name && one.tool_name && one.type === "tool_call" && (
              <a href={href(at("tools", one.server_name, one.tool_name))}>{one.tool_name}</a>
            ),
          ],
          ["Script", typeof script === "string" && script],
          ["Client", activityClientText(one.metadata)],
          ["Intent", intentText(intent)],
          ["Client IP", typeof client_ip === "string" && client_ip],
          ["Caller", one.actor],
          ["Through", SOURCES[one.source]],
          ["Session", one.session_id && <a href={href(at("sessions", one.session_id))}>{one.session_id}</a>],
          ["Called by", one.parent_id && <Parent key="p" request={one.parent_id} />],
          ...Object.entries(rest).map(
            ([name, value]) => [sentence(name.replaceAll("_", " ")), <Value key={name} of={value} />] as const,
          ),
          ["Request", one.request_id && <code key="r">{one.request_id}</code>],
          ["Record", <code key="i">{one.id}</code>],
        ]}
      />
    </Section>
  );
}

/** A value of a record's metadata: text as it is, an object as one tag for each member. */
function Value({ of: value }: { of: unknown }) {
  if (typeof value === "string" || typeof value === "number") return <>{value}</>;
  const detections = isObject(value) && Array.isArray(value.detections) ? value.detections.filter(isObject) : undefined;
  const tags = detections
    ? detections.map(({ type, severity, location }) => `${type} (${severity}, in the ${location})`)
    : isObject(value)
      ? Object.entries(value).map(([name, inner]) => `${name.replaceAll("_", " ")}: ${plainly(inner)}`)
      : Array.isArray(value)
        ? value.map(plainly)
        : [plainly(value)];
  return (
    <span class="row">
      {tags.map((text, i) => (
        <Tag key={i}>{text}</Tag>
      ))}
    </span>
  );
}

/** The declared intent: `write: The user asked for it`. */
function intentText(intent: unknown): string | undefined {
  if (!isObject(intent)) return undefined;
  const { operation_type: type, reason, ...others } = intent;
  return [
    type,
    reason,
    ...Object.entries(others).map(([name, value]) => `${name.replaceAll("_", " ")} ${plainly(value)}`),
  ]
    .filter((part) => part !== undefined && part !== "")
    .join(": ");
}

const plainly = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The script execution that made this call. */
function Parent({ request }: { request: string }) {
  const { data } = useLive("GET /api/v1/activity", {
    query: { type: "code_execution", request_id: request, limit: "1" },
  });
  const run = data?.activities[0];
  const { script = "a script" } = run?.metadata ?? {};
  return run ? <a href={href(at("activity", run.id))}>{String(script)}</a> : <>a script</>;
}

/** Other records of the same request. */
function SameRequest({ of: one }: { of: Detail }) {
  const { request_id } = one;
  const all = useLive(
    "GET /api/v1/activity",
    request_id === undefined ? undefined : { query: { request_id, limit: "20" } },
  );
  const others = (all.data?.activities ?? []).filter((r) => r.id !== one.id);
  if (others.length === 0) return null;
  return (
    <Section title="Of the same request" flush>
      <ul class="lines dense">
        {others.map((r) => (
          <li key={r.id}>
            <Badge tone={STATUS[r.status][1]}>{STATUS[r.status][0]}</Badge>
            <a class="grow truncate" href={href(at("activity", r.id))}>
              {TYPES[r.type]}: {subjectOf(r)}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
