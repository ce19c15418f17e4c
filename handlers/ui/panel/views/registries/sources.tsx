import { useState } from "preact/hooks";
import { call, reasonOf } from "../../api.ts";
import { act, fresh } from "../../live.ts";
import { Tag } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { confirm, Dialog } from "../../parts/dialog.tsx";
import { Input, isMasked } from "../../parts/field.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { Section } from "../../parts/page.tsx";
import { count, plural } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { go, href } from "../../route.ts";
import type { Registry } from "./search.tsx";

/** The registries: built-in and custom ones. */
export function Sources({ all }: { all: readonly Registry[] }) {
  const [editing, setEditing] = useState<Registry>();
  return (
    <Section flush>
      <ul class="lines">
        {all.map((registry) => (
          <li key={registry.id}>
            <div class="grow">
              <a class="name" href={href(`/registries?registry=${encodeURIComponent(registry.id)}`)}>
                {registry.name}
              </a>{" "}
              <Tag>{registry.provenance === "official" ? "built in" : "custom"}</Tag>
              <p class="muted">{registry.description}</p>
              {!registry.servers_url.startsWith("builtin:") && (
                <code class="truncate muted">{registry.servers_url}</code>
              )}
            </div>
            <div class="row">
              <span class="muted">
                {registry.count > 0 ? `${count(registry.count)} servers cached` : "not loaded yet"}
              </span>
              <Menu label={`Actions for ${registry.name}`} items={actsOf(registry, () => setEditing(registry))} />
            </div>
          </li>
        ))}
      </ul>
      {editing && <EditSource registry={editing} onClose={() => setEditing(undefined)} />}
    </Section>
  );
}

function actsOf(registry: Registry, edit: () => void): MenuItem[] {
  const { id, name, provenance } = registry;
  return [
    {
      label: "Search",
      icon: "search",
      run: () => go(`/registries?registry=${encodeURIComponent(id)}`),
    },
    {
      label: "Refresh",
      icon: "refresh",
      run: () =>
        act(
          "POST /api/v1/registries/{id}/refresh",
          { params: { id } },
          {
            done: ({ cleared }) =>
              `${name} is refreshed at the next search; ${plural(cleared, "cached response")} deleted`,
          },
        ),
    },
    ...(provenance === "custom"
      ? ([
          { label: "Change", icon: "edit", run: edit },
          { label: "Remove", icon: "trash", danger: true, run: () => remove(registry) },
        ] as const)
      : []),
  ];
}

async function remove({ id, name, servers_url, url }: Registry): Promise<void> {
  const yes = await confirm({
    title: `Remove ${name}?`,
    consequence: "The proxy no longer searches this registry. Servers added from it stay.",
    verb: "Remove",
    danger: true,
  });
  if (!yes) return;
  const address = servers_url || url;
  await act(
    "DELETE /api/v1/registries/{id}",
    { params: { id } },
    {
      done: `${name} is removed`,
      // A masked URL must not be sent back.
      ...(!isMasked(address) && {
        undo: async () => {
          await call("POST /api/v1/registries", { body: { url: address, id, name } });
          await fresh("GET /api/v1/registries", {});
        },
      }),
    },
  );
  await fresh("GET /api/v1/registries", {});
}

/** Adds a registry, or changes a custom one. */
export function EditSource({ registry, onClose }: { registry?: Registry; onClose(): void }) {
  const [url, setUrl] = useState(registry?.url ?? "");
  const [list, setList] = useState(registry?.servers_url ?? "");
  const [name, setName] = useState(registry?.name ?? "");
  const [id, setId] = useState("");
  const [wrong, setWrong] = useState<string>();
  const save = async () => {
    setWrong(undefined);
    try {
      if (registry) {
        const body = {
          ...(name !== registry.name && { name }),
          ...(url !== registry.url && { url }),
          ...(list !== registry.servers_url && { servers_url: list }),
        };
        await call("PUT /api/v1/registries/{id}", { params: { id: registry.id }, body });
        toast(`${name} is changed`);
      } else {
        const body = { url, ...(name && { name }), ...(id && { id }) };
        const { registry: added } = await call("POST /api/v1/registries", { body });
        toast(`${added.name} is added`, {
          label: "Search",
          run: () => go(`/registries?registry=${encodeURIComponent(added.id)}`),
        });
      }
      await fresh("GET /api/v1/registries", {});
      onClose();
    } catch (error) {
      setWrong(reasonOf(error));
    }
  };
  return (
    <Dialog title={registry ? `Change ${registry.name}` : "Add a registry"} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Input
          label="Address"
          hint="URL of the registry or of its server list: https, or file:// on the proxy's machine. The registry must use the protocol of the official registry."
          mono
          type="url"
          placeholder="https://registry.example.com"
          value={url}
          error={wrong}
          required={registry === undefined}
          onValue={setUrl}
        />
        {registry && <Input label="URL of its server list" mono type="url" value={list} onValue={setList} />}
        <Input label={registry ? "Name" : "Name (optional)"} value={name} onValue={setName} />
        {!registry && (
          <Input
            label="Id (optional)"
            hint="Used in URLs and commands; default: derived from the URL."
            mono
            value={id}
            onValue={setId}
          />
        )}
        <div class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" blocked={url.trim() === "" && "Enter the URL first."}>
            {registry ? "Save" : "Add registry"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
