import type { Data } from "../api.ts";
import { act, fresh, useLive } from "../live.ts";
import { Badge, Tag } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { plural, Time } from "../parts/time.tsx";
import { href } from "../route.ts";

type Channel = Data<"GET /api/v1/notifications">["channels"][number];
type Sink = Data<"GET /api/v1/sinks">["sinks"][number];

/** The channels that notify people and the receivers of records, each with a button that tests it. */
export default function Notifications() {
  const notifications = useLive("GET /api/v1/notifications", {});
  const receivers = useLive("GET /api/v1/sinks", {});
  return (
    <Page
      title="Notifications"
      about="Channels notify people of what needs a decision. Receivers get every activity and audit record."
      actions={
        <a class="button" href={href("/configuration?group=Notifications+and+receivers")}>
          Change channels and receivers
        </a>
      }
    >
      <Shown of={notifications}>
        {({ channels }) => (
          <Section title="Channels that notify people" flush>
            {channels.length === 0 ? (
              <Empty
                icon="bell"
                title="No channels yet"
                action={<Settings find="notifications" text="Add a channel" />}
              >
                A channel notifies you by Slack, Teams, e-mail, webhook or on the desktop when a tool waits for approval
                or a server fails.
              </Empty>
            ) : (
              <ul class="lines" aria-label="Channels">
                {channels.map((one) => (
                  <ChannelRow key={one.name} channel={one} />
                ))}
              </ul>
            )}
          </Section>
        )}
      </Shown>
      <Shown of={receivers}>
        {({ sinks }) => (
          <Section title="Receivers of activity and audit records" flush>
            {sinks.length === 0 ? (
              <Empty icon="activity" title="No receivers yet" action={<Settings find="sinks" text="Add a receiver" />}>
                A receiver gets a copy of every record: a file, syslog, an OpenTelemetry collector or a webhook.
              </Empty>
            ) : (
              <ul class="lines" aria-label="Sinks">
                {sinks.map((one) => (
                  <SinkRow key={one.name} sink={one} />
                ))}
              </ul>
            )}
          </Section>
        )}
      </Shown>
    </Page>
  );
}

function Settings({ find, text }: { find: string; text: string }) {
  return (
    <a class="button" href={href(`/configuration?find=${find}`)}>
      {text}
    </a>
  );
}

function ChannelRow({ channel }: { channel: Channel }) {
  const { name, waiting, sent, lost, last_sent_at: last } = channel;
  const test = async () => {
    const done = `A test message was sent through ${name}`;
    await act("POST /api/v1/notifications/{name}/test", { params: { name } }, { done });
    await fresh("GET /api/v1/notifications", {});
  };
  const counts = [`${plural(sent, "notice")} sent, ${waiting} waiting`, lost > 0 && `${lost} lost`];
  return <TargetRow target={channel} counts={counts} last={last} onTest={test} />;
}

function SinkRow({ sink }: { sink: Sink }) {
  const { name, waiting, delivered, lost, rejected, last_delivery_at: last } = sink;
  const test = async () => {
    await act("POST /api/v1/sinks/{name}/test", { params: { name } }, { done: `${name} accepted a test record` });
    await fresh("GET /api/v1/sinks", {});
  };
  const counts = [
    `${plural(delivered, "record")} delivered, ${waiting} waiting`,
    lost > 0 && `${lost} lost`,
    rejected > 0 && `${rejected} rejected`,
  ];
  return <TargetRow target={sink} counts={counts} last={last} onTest={test} />;
}

interface TargetRowProps {
  target: Pick<Channel | Sink, "name" | "type" | "state" | "problem">;
  /** Parts of a sentence; `false` leaves one out. */
  counts: readonly (string | false)[];
  /** When something was delivered last. */
  last: string | undefined;
  onTest: () => Promise<void>;
}

/** A channel or a receiver: its state, what it delivered, and a button that tests it. */
function TargetRow({ target: { name, type, state, problem }, counts, last, onTest }: TargetRowProps) {
  return (
    <li>
      <div class="grow">
        <span class="name">{name}</span> <Tag>{type}</Tag> <State state={state} />
        {problem && <p class="error">{problem}</p>}
        <p class="muted">
          {counts.filter(Boolean).join(", ")}
          {last && (
            <>
              , last <Time at={last} />
            </>
          )}
        </p>
      </div>
      {state !== "disabled" && (
        <Button label={`Test ${name}`} onClick={onTest}>
          Test
        </Button>
      )}
    </li>
  );
}

function State({ state }: { state: Channel["state"] | Sink["state"] }) {
  if (state === "failing") return <Badge tone="bad">Failing</Badge>;
  if (state === "standby") return <Badge tone="off">Standby</Badge>;
  if (state === "disabled") return <Badge tone="off">Disabled</Badge>;
  return state === "quiet" ? <Badge tone="info">Quiet hours</Badge> : null;
}
