import { useState } from "preact/hooks";
import type { Data } from "../../api.ts";
import { act, fresh, useLive } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { plural } from "../../parts/time.tsx";
import { EditProfile, removeProfile } from "./edit.tsx";

export type Profile = Data<"GET /api/v1/profiles">["profiles"][number];

async function activate(name: string, before: string): Promise<void> {
  const choose = (active_profile: string) => ({ body: { active_profile } });
  await act("PUT /api/v1/profiles/active", choose(name), {
    done: name === "" ? "Pages and commands now start with all servers" : `Pages and commands now start with ${name}`,
    undo: async () => {
      await act("PUT /api/v1/profiles/active", choose(before));
      await fresh("GET /api/v1/profiles", {});
    },
  });
  await fresh("GET /api/v1/profiles", {});
}

/** The profiles. */
export function Profiles({ onAdd }: { onAdd(): void }) {
  const profiles = useLive("GET /api/v1/profiles", {});
  const [editing, setEditing] = useState<Profile>();
  return (
    <Shown of={profiles}>
      {({ profiles: all }) => {
        const active = all.find((p) => p.active)?.name ?? "";
        return (
          <Section flush>
            {all.length === 0 ? (
              <Empty
                icon="filter"
                title="No profiles yet"
                action={
                  <Button kind="main" icon="plus" onClick={onAdd}>
                    Add profile
                  </Button>
                }
              >
                A client of a profile finds the right tool sooner and cannot use the other servers.
              </Empty>
            ) : (
              <ul class="lines">
                {all.map((profile) => (
                  <Row key={profile.name} profile={profile} active={active} onEdit={() => setEditing(profile)} />
                ))}
              </ul>
            )}
            {editing && <EditProfile profile={editing} onClose={() => setEditing(undefined)} />}
          </Section>
        );
      }}
    </Shown>
  );
}

function Row({ profile, active, onEdit }: { profile: Profile; active: string; onEdit(): void }) {
  const { name, servers, unknown_servers: unknown, tool_count } = profile;
  const path = `${location.origin}/mcp/p/${encodeURIComponent(name)}`;
  return (
    <li>
      <div class="grow">
        <span class="name">{name}</span> {profile.active && <Badge tone="info">Active</Badge>}
        <p class="muted">
          {plural(tool_count, "tool")} of {servers.length === 0 ? "no server" : servers.join(", ")}
        </p>
        {unknown.length > 0 && <Badge tone="warn">no such server: {unknown.join(", ")}</Badge>}
        <p class="hint command">
          <code>{path}</code>
          <Copy text={path} label="Copy address" />
        </p>
      </div>
      <div class="row">
        <Button
          small
          title="Pages and commands start with the active profile. It does not limit clients."
          onClick={() => activate(profile.active ? "" : name, active)}
        >
          {profile.active ? "Start with all servers" : "Make active"}
        </Button>
        <Menu
          label={`Actions for ${name}`}
          items={[
            { label: "Change", icon: "edit", run: onEdit },
            { label: "Remove", icon: "trash", danger: true, run: () => removeProfile(name) },
          ]}
        />
      </div>
    </li>
  );
}
