import { useEffect, useState } from "preact/hooks";
import { canReplaceEntries } from "#lib/client/setup/movable-entries.ts";
import { useLive } from "../live.ts";
import { Button } from "../parts/button.tsx";
import type { Server } from "../parts/health.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { Step, type StepState } from "../parts/steps.tsx";
import { listed } from "../parts/time.tsx";
import { href } from "../route.ts";
import { ChooseServers } from "./setup/choose-servers.tsx";
import { ConnectClients, clientPlans, needsChange } from "./setup/connect-clients.tsx";
import { ReviewServers } from "./setup/review-servers.tsx";
import { type Survey, useSurvey } from "./setup/survey.ts";

/** The steps of `proxy setup`: import the servers of the clients, review them, connect the clients. */
export default function Setup() {
  const survey = useSurvey();
  const servers = useLive("GET /api/v1/servers", {});
  return (
    <Page
      title="Set up"
      about="Import the servers of your MCP clients, review their tools, and connect the clients. Nothing changes before you decide."
      actions={
        <Button icon="refresh" onClick={survey.reload}>
          Read the clients again
        </Button>
      }
    >
      <Shown of={survey}>
        {(found) => (
          <Shown of={servers}>
            {({ servers: all }) =>
              found.clients.length === 0 ? (
                <NoClients />
              ) : (
                <Steps survey={found} servers={all} onChanged={survey.reload} />
              )
            }
          </Shown>
        )}
      </Shown>
    </Page>
  );
}

interface StepsProps {
  survey: Survey;
  servers: readonly Server[];
  onChanged(): Promise<void>;
}

/** The state of each step follows from the proxy and the clients' files, so that the page can be left and continued. */
function Steps({ survey, servers, onChanged }: StepsProps) {
  const [isSkipped, setSkipped] = useState(false);
  const names = new Set(survey.servers.filter(({ configured }) => configured).map(({ name }) => name));
  const own = servers.filter(({ name }) => names.has(name));
  const waiting = own.filter(({ enabled, quarantined }) => enabled && quarantined);
  const available = new Set(own.filter(canReplaceEntries).map(({ name }) => name));
  const isImported =
    isSkipped || survey.servers.every(({ configured, problem }) => configured || problem !== undefined);
  const isConnected = clientPlans(survey, available).every((plan) => !needsChange(plan));
  const done = [isImported, isImported && waiting.length === 0, isImported && isConnected];
  const now = done.indexOf(false);
  const imported = async () => {
    await onChanged();
    // What was not chosen is left out on purpose.
    setSkipped(true);
  };
  const state = (i: number): StepState => (done[i] ? "done" : i === now ? "now" : "later");
  useEffect(() => {
    if (now > 0) document.querySelector(".step.now")?.scrollIntoView({ block: "nearest" });
  }, [now]);
  return (
    <ol class="steps">
      <Step n={1} state={state(0)} title="Import the servers of your clients">
        {survey.servers.length === 0 ? (
          <p class="muted">The clients' configuration files contain no servers.</p>
        ) : (
          <ChooseServers survey={survey} isDone={isImported} onImported={imported} />
        )}
        {!isImported && names.size > 0 && (
          <div class="row">
            <Button small kind="bare" onClick={() => setSkipped(true)}>
              Continue without importing
            </Button>
          </div>
        )}
      </Step>
      <Step n={2} state={state(1)} title="Review their tools">
        {waiting.length > 0 ? (
          <ReviewServers servers={waiting} isNow={isImported} />
        ) : (
          done[1] && <p class="muted">No imported server waits for review.</p>
        )}
      </Step>
      <Step n={3} state={state(2)} title="Connect the clients">
        {isImported && (
          <>
            {waiting.length > 0 && (
              <p class="notice">
                <Icon name="shield" />
                <span class="grow">
                  {listed(waiting.map(({ name }) => name))} {waiting.length === 1 ? "is" : "are"} in quarantine: the
                  clients cannot use {waiting.length === 1 ? "it" : "them"} through the proxy before the release.
                </span>
              </p>
            )}
            <ConnectClients survey={survey} available={available} isNow={now === 2} onChanged={onChanged} />
          </>
        )}
      </Step>
      {now < 0 && <Finished survey={survey} />}
    </ol>
  );
}

function Finished({ survey: { clients } }: { survey: Survey }) {
  const names = clients.filter(({ connected }) => connected).map(({ name }) => name);
  return (
    <li class="hero">
      <span class="hero-icon ok">
        <Icon name="check" size={20} />
      </span>
      <div class="grow">
        <h2>Setup is complete</h2>
        <p class="muted">
          Restart {listed(names)}, or reload {names.length === 1 ? "its" : "their"} servers. The first call appears
          under <a href={href("/activity")}>activity</a>.
        </p>
      </div>
      <a class="button main" href={href("/")}>
        Go to the overview
      </a>
    </li>
  );
}

function NoClients() {
  return (
    <Section>
      <Empty
        icon="connect"
        title="No MCP client has a configuration file on this machine"
        action={
          <>
            <a class="button main" href={href("/servers?add")}>
              Add a server
            </a>
            <a class="button" href={href("/connect")}>
              Connect a client
            </a>
          </>
        }
      >
        The proxy looks for the configuration files of the clients that it knows, on its own machine.
      </Empty>
    </Section>
  );
}
