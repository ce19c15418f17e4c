import { useState } from "preact/hooks";
import { type Args, call, reasonOf } from "../../api.ts";
import { useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Input, Select, Switch } from "../../parts/field.tsx";
import { type Issued, look, type Whose } from "./acts.ts";
import { Choices } from "./choices.tsx";
import { Secret } from "./secret.tsx";

const LASTS = [
  ["1d", "a day"],
  ["7d", "a week"],
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["365d", "a year"],
] as const;

type Reach = "all" | "some" | "profile";

/** Creates an agent token: servers, permissions and lifetime; then shows its secret once. */
export function NewToken({ whose, onClose }: { whose: Whose; onClose(): void }) {
  const [name, setName] = useState("");
  const [reach, setReach] = useState<Reach>("all");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [profile, setProfile] = useState("");
  const [write, setWrite] = useState(false);
  const [destroy, setDestroy] = useState(false);
  const [requireAuth, setRequireAuth] = useState(false);
  const [lasts, setLasts] = useState<string>("30d");
  const [wrong, setWrong] = useState<string>();
  const [issued, setIssued] = useState<Issued>();
  const own = useLive("GET /api/v1/user/servers", whose === "own" ? {} : undefined);
  const all = useLive("GET /api/v1/servers", whose === "proxy" ? {} : undefined);
  const required = useLive("GET /api/v1/tokens", whose === "proxy" ? {} : undefined).data?.mcp_auth_required;
  const profiles = useLive("GET /api/v1/profiles", {}).data?.profiles ?? [];
  const mine = own.data && [...own.data.personal, ...own.data.shared];
  const servers = (mine ?? all.data?.servers ?? []).map((s) => s.name);
  const pin = profile || profiles[0]?.name;
  const needed =
    (name.trim() === "" && "Enter a name first.") ||
    (reach === "some" && chosen.size === 0 && "Select a server first.");
  const create = async () => {
    setWrong(undefined);
    const body: Args<"POST /api/v1/user/tokens">["body"] = {
      name: name.trim(),
      permissions: ["read", ...(write ? (["write"] as const) : []), ...(destroy ? (["destructive"] as const) : [])],
      expires_in: lasts,
      ...(reach === "some" && { allowed_servers: [...chosen] }),
      ...(reach === "profile" && pin !== undefined && { profile_pin: pin }),
    };
    try {
      setIssued(
        whose === "own"
          ? await call("POST /api/v1/user/tokens", { body })
          : await call("POST /api/v1/tokens", { body: { ...body, ...(requireAuth && { require_auth: true }) } }),
      );
      await look(whose);
    } catch (error) {
      setWrong(reasonOf(error));
    }
  };
  if (issued) return <Secret issued={issued} onClose={onClose} />;
  return (
    <Dialog title="Create an agent token" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!needed) void create();
        }}
      >
        <Input
          label="Name"
          hint="The client that uses it, such as laptop-cursor. The activity log shows this name."
          autocomplete="off"
          value={name}
          error={wrong}
          onValue={setName}
        />
        <Select<Reach>
          label="Servers"
          value={reach}
          options={[
            ["all", whose === "own" ? "all servers that I may use" : "all current and future servers"],
            ["some", "only selected servers"],
            ...(profiles.length > 0 ? ([["profile", "those of one profile"]] as const) : []),
          ]}
          onValue={(to) => setReach(to)}
        />
        {reach === "some" && <Choices label="Allowed servers" all={servers} chosen={chosen} onChosen={setChosen} />}
        {reach === "profile" && (
          <Select
            label="Profile"
            value={pin ?? ""}
            options={profiles.map((p) => [p.name, p.name] as const)}
            onValue={setProfile}
          />
        )}
        <fieldset class="stack">
          <legend class="label">Permissions</legend>
          <Switch label="Read-only tools" checked blocked="Every token may call these." onChange={() => undefined} />
          <Switch
            label="Write tools"
            hint="Also tools without annotations, if destructive tools are allowed too."
            checked={write}
            onChange={setWrite}
          />
          <Switch
            label="Destructive tools"
            hint="Tools declared destructive, and tools not declared non-destructive."
            checked={destroy}
            onChange={setDestroy}
          />
        </fieldset>
        {required === false && (
          <Switch
            label="Require authentication on /mcp"
            hint="Clients without a token are then rejected. While this is off, a client that sends no token may use every server, whatever this token allows."
            checked={requireAuth}
            onChange={setRequireAuth}
          />
        )}
        <Select label="Expires after" value={lasts} options={LASTS} onValue={setLasts} />
        <div class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" blocked={needed}>
            Create token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
