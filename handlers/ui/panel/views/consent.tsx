import { useEffect, useState } from "preact/hooks";
import { type Args, call, type Data, reasonOf } from "../api.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Select, Switch } from "../parts/field.tsx";
import { Mark } from "../parts/mark.tsx";
import { Empty, Loading } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { SignIns } from "./consent/sign-ins.tsx";
import { Choices } from "./tokens/choices.tsx";

type Request = Data<"GET /ui/consent/{uid}/request">;
type Permission = Request["permissions"][number];
type Reach = "all" | "some" | "profile";

/** A client asks a person for access: who it is, what it will see and do, and until when. */
export default function Consent({ uid = "" }: Readonly<Record<string, string>>) {
  const [request, setRequest] = useState<Request>();
  const [failed, setFailed] = useState<string>();
  const [isAllowed, setIsAllowed] = useState(false);
  useEffect(() => {
    document.title = "Allow access · proxy";
    const params = { uid };
    call("GET /ui/consent/{uid}/request", { params }).then(setRequest, (error) =>
      // The person may have allowed it and then reloaded the page.
      call("GET /ui/consent/{uid}/servers", { params }).then(
        () => setIsAllowed(true),
        () => setFailed(reasonOf(error)),
      ),
    );
  }, [uid]);
  return (
    <main class="sign-in consent">
      {isAllowed ? (
        <SignIns uid={uid} />
      ) : failed !== undefined ? (
        <Empty icon="tokens" title="There is nothing to answer">
          {failed}
        </Empty>
      ) : request ? (
        <Answer uid={uid} request={request} onSignIns={() => setIsAllowed(true)} />
      ) : (
        <Loading lines={6} />
      )}
    </main>
  );
}

interface AnswerProps {
  uid: string;
  request: Request;
  /** Called if the person has to sign in at servers before the browser returns to the client. */
  onSignIns(): void;
}

function Answer({ uid, request, onSignIns }: AnswerProps) {
  const { client, permissions, servers, profiles, profile, before, person } = request;
  const [may, setMay] = useState<ReadonlySet<Permission>>(() => proposed(request));
  const [reach, setReach] = useState<Reach>(() => reachOf(before));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set((before?.servers ?? []).filter((name) => servers.includes(name))),
  );
  const [inProfile, setInProfile] = useState(before?.profile ?? profiles[0] ?? "");
  const lasts = lifetimes(request.max_lifetime_days);
  const [days, setDays] = useState(lasts.some(([value]) => value === "30") ? "30" : lasts.at(-1)![0]);
  const [wrong, setWrong] = useState<string>();
  const [isSent, setIsSent] = useState(false);
  const answer = async (body: Args<"POST /ui/consent/{uid}/answer">["body"]) => {
    setWrong(undefined);
    setIsSent(true);
    try {
      const { redirect_to, sign_ins } = await call("POST /ui/consent/{uid}/answer", { params: { uid }, body });
      if (sign_ins > 0) onSignIns();
      else location.href = redirect_to;
    } catch (error) {
      setIsSent(false);
      setWrong(reasonOf(error));
    }
  };
  const allow = () =>
    answer({
      allow: true,
      permissions: [...may],
      days: Number(days),
      ...(reach === "some" && profile === undefined && { servers: [...chosen] }),
      ...(reach === "profile" && profile === undefined && { profile: inProfile }),
    });
  const toggle = (one: Permission, on: boolean) => {
    const next = new Set(may);
    on ? next.add(one) : next.delete(one);
    setMay(next);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void allow();
      }}
    >
      <Mark size={36} />
      <h1>{client.name} asks for access</h1>
      <Identity request={request} />
      <fieldset class="stack">
        <legend class="label">It may call</legend>
        <Switch
          label="Read-only tools"
          hint="The server declares that they change nothing."
          checked
          blocked="Every client may call these."
          onChange={() => undefined}
        />
        {permissions.includes("write") && (
          <Switch
            label="Write tools"
            hint="The server declares that they change data and destroy nothing."
            checked={may.has("write")}
            onChange={(on) => toggle("write", on)}
          />
        )}
        {permissions.includes("destructive") && (
          <Switch
            label="Destructive tools"
            hint="The server declares that they may delete or overwrite data. Tools without a declaration need write and destructive."
            checked={may.has("destructive")}
            onChange={(on) => toggle("destructive", on)}
          />
        )}
      </fieldset>
      {profile !== undefined ? (
        <p class="hint">
          It may use the {servers.length} {servers.length === 1 ? "server" : "servers"} of the profile{" "}
          <strong>{profile}</strong>: {servers.join(", ") || "none"}.
        </p>
      ) : (
        <>
          <Select<Reach>
            label="On"
            value={reach}
            options={[
              ["all", "all servers that I may use, also future ones"],
              ["some", "only selected servers"],
              ...(profiles.length > 0 ? ([["profile", "the servers of one profile"]] as const) : []),
            ]}
            onValue={setReach}
          />
          {reach === "some" && <Choices label="Servers" all={servers} chosen={chosen} onChosen={setChosen} />}
          {reach === "profile" && (
            <Select
              label="Profile"
              value={inProfile}
              options={profiles.map((name) => [name, name] as const)}
              onValue={setInProfile}
            />
          )}
        </>
      )}
      <Select label="For" value={days} options={lasts} onValue={setDays} />
      {wrong && (
        <p class="error" role="alert">
          {wrong}
        </p>
      )}
      <div class="row end">
        <Button onClick={() => void answer({ allow: false })} blocked={isSent && "The answer is on its way."}>
          Deny
        </Button>
        <Button
          kind="main"
          type="submit"
          blocked={
            (isSent && "The answer is on its way.") ||
            (reach === "some" && profile === undefined && chosen.size === 0 && "Select a server first.")
          }
        >
          Allow
        </Button>
      </div>
      <p class="hint">
        You are signed in as {person}. The client gets an agent token of its own. You can revoke it at any time under
        Tokens; it ends at the next request.
      </p>
    </form>
  );
}

/** Who asks, and whether anything proves it. */
function Identity({ request: { client, is_proven, returns_to, is_local, before } }: { request: Request }) {
  return (
    <div class="stack tight">
      {is_proven ? (
        <p>
          <Badge tone="ok">Proven</Badge> It is the client that <strong>{client.host}</strong> publishes.
        </p>
      ) : client.host !== undefined ? (
        <p>
          <Badge tone="warn">Not proven</Badge> It says that it is the client that <strong>{client.host}</strong>{" "}
          publishes; any program on this computer can say so. Allow it only if you have just started this sign-in
          yourself.
        </p>
      ) : (
        <p>
          <Badge tone="warn">Not proven</Badge> Any program can use this name. Allow it only if you have just started
          this sign-in yourself.
        </p>
      )}
      <p class="hint">
        {is_local ? (
          <>Your answer goes to a program on this computer ({returns_to}).</>
        ) : (
          <>
            Your answer goes to <strong>{returns_to}</strong>.
          </>
        )}
      </p>
      {before && (
        <p class="hint">
          You allowed it before, <Time at={before.at} />. What it may call and on which servers is set as you chose
          then; how long is not.
        </p>
      )}
    </div>
  );
}

/** What is switched on at first: what the person allowed before, or else everything but destroying. */
function proposed({ permissions, before }: Request): ReadonlySet<Permission> {
  const usual: readonly Permission[] = before?.permissions ?? ["read", "write"];
  return new Set<Permission>(["read", ...permissions.filter((one) => usual.includes(one))]);
}

function reachOf(before: Request["before"]): Reach {
  if (before?.profile !== undefined) return "profile";
  return before && !before.servers.includes("*") ? "some" : "all";
}

const LIFETIMES = [
  [1, "a day"],
  [7, "a week"],
  [30, "30 days"],
  [90, "90 days"],
  [365, "a year"],
] as const;

function lifetimes(max: number): (readonly [string, string])[] {
  const fitting = LIFETIMES.filter(([days]) => days <= max).map(([days, text]) => [String(days), text] as const);
  return fitting.some(([days]) => Number(days) === max) ? fitting : [...fitting, [String(max), `${max} days`] as const];
}
