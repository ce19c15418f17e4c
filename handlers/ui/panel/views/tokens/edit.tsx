import { useState } from "preact/hooks";
import { call, reasonOf } from "../../api.ts";
import { fresh, useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { confirm, Dialog } from "../../parts/dialog.tsx";
import { Input } from "../../parts/field.tsx";
import { toast } from "../../parts/toast.tsx";
import { Choices } from "./choices.tsx";
import type { Profile } from "./profiles.tsx";

/** A profile in the configuration. */
interface Kept {
  name: string;
  servers: readonly string[];
}

/** Changes the list of profiles; rejected if the configuration changed in the meantime. @throws Refused, Away */
async function change(how: (all: readonly Kept[]) => readonly Kept[]): Promise<readonly Kept[]> {
  const { config, revision } = await call("GET /api/v1/config", {});
  // The cast is safe: the configuration was validated.
  const before = (config.profiles ?? []) as readonly Kept[];
  await call("PATCH /api/v1/config", { body: { profiles: how(before) } }, { revision });
  await fresh("GET /api/v1/profiles", {});
  return before;
}

/** Removes a profile, after confirmation; Undo restores it. */
export async function removeProfile(name: string): Promise<void> {
  const yes = await confirm({
    title: `Remove the profile ${name}?`,
    consequence:
      "Clients at its endpoint are rejected, and tokens limited to this profile can no longer use any server.",
    verb: "Remove",
    danger: true,
  });
  if (!yes) return;
  try {
    const before = await change((all) => all.filter((p) => p.name !== name));
    const gone = before.find((p) => p.name === name);
    toast(`${name} is removed`, gone && { label: "Undo", run: () => change((all) => [...all, gone]).catch(tell) });
  } catch (error) {
    tell(error);
  }
}

const tell = (error: unknown) => toast(reasonOf(error), { tone: "bad" });

/** Creates a profile, or changes its servers. */
export function EditProfile({ profile, onClose }: { profile?: Profile; onClose(): void }) {
  const servers = useLive("GET /api/v1/servers", {});
  const [name, setName] = useState(profile?.name ?? "");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set([...(profile?.servers ?? []), ...(profile?.unknown_servers ?? [])]),
  );
  const [wrong, setWrong] = useState<string>();
  const known = servers.data?.servers.map((s) => s.name) ?? [];
  const save = async () => {
    setWrong(undefined);
    const next: Kept = { name: name.trim(), servers: [...chosen] };
    try {
      await change((all) =>
        profile ? all.map((p) => (p.name === profile.name ? { ...p, ...next } : p)) : [...all, next],
      );
      toast(`${next.name} is ${profile ? "changed" : "added"}`);
      onClose();
    } catch (error) {
      setWrong(reasonOf(error));
    }
  };
  return (
    <Dialog title={profile ? `Change ${profile.name}` : "Add a profile"} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {!profile && (
          <Input
            label="Name"
            hint="The last part of its endpoint: /mcp/p/NAME."
            mono
            autocomplete="off"
            value={name}
            onValue={setName}
          />
        )}
        <Choices
          label="Servers"
          all={[...known, ...(profile?.unknown_servers ?? [])]}
          chosen={chosen}
          onChosen={setChosen}
        />
        {wrong && (
          <p class="error" role="alert">
            {wrong}
          </p>
        )}
        <div class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="main"
            type="submit"
            blocked={(name.trim() === "" && "Enter a name first.") || (chosen.size === 0 && "Select a server first.")}
          >
            {profile ? "Save" : "Add profile"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
