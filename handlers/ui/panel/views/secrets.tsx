import { useState } from "preact/hooks";
import type { Data } from "../api.ts";
import { useShortcuts } from "../keys.ts";
import { act, fresh, useLive } from "../live.ts";
import { Tag } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { plural, Time } from "../parts/time.tsx";
import { toast } from "../parts/toast.tsx";
import { at, href } from "../route.ts";
import { MigrateSecrets } from "./secrets/migrate.tsx";
import { PLACES } from "./secrets/place.ts";
import { SetSecret } from "./secrets/set.tsx";

type Found = Data<"GET /api/v1/secrets">;
type Secret = Found["secrets"][number];
type Open = { what: "set"; name?: string } | { what: "migrate" };

/** The stored secrets without values: their store, their uses, and missing ones. */
export default function Secrets() {
  const secrets = useLive("GET /api/v1/secrets", {});
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  useShortcuts([{ keys: "n", label: "Add a secret", run: () => setOpen({ what: "set" }) }]);
  const add = (
    <Button kind="main" icon="plus" onClick={() => setOpen({ what: "set" })}>
      Add secret
    </Button>
  );
  return (
    <Page
      title="Secrets"
      actions={
        <>
          <Button onClick={() => setOpen({ what: "migrate" })}>Move out of configuration</Button>
          {add}
        </>
      }
    >
      <Shown of={secrets}>
        {(found) => (
          <>
            <Missing found={found} onSet={(name) => setOpen({ what: "set", name })} />
            <Section
              flush
              title={found.total === 0 ? "Stored" : plural(found.total, "secret")}
              actions={<Where found={found} />}
            >
              <Table
                label="Secrets"
                rows={found.secrets}
                columns={columns((name) => setOpen({ what: "set", name }))}
                rowKey={(s) => s.name}
                sort="name"
                onOpen={(s) => setOpen({ what: "set", name: s.name })}
                empty={
                  <Empty icon="secrets" title="No secrets yet" action={add}>
                    A secret is stored outside the configuration file, which then holds a reference such as{" "}
                    <code>{"${keyring:NAME}"}</code>.
                  </Empty>
                }
              />
            </Section>
          </>
        )}
      </Shown>
      {open?.what === "set" && <SetSecret name={open.name} onClose={close} />}
      {open?.what === "migrate" && <MigrateSecrets onClose={close} />}
    </Page>
  );
}

/** The store of new secrets; why it is not the keyring is a technical text in the tooltip. */
function Where({ found: { backend } }: { found: Found }) {
  return (
    <span class="hint" title={backend.reason}>
      New secrets are stored in {PLACES[backend.kind]}
      {backend.kind === "file" && backend.reason !== undefined && ", because the system keyring cannot be used"}.
    </span>
  );
}

/** References without a value. */
function Missing({ found, onSet }: { found: Found; onSet(name: string): void }) {
  const missing = found.references.filter((r) => !r.is_set);
  if (missing.length === 0) return null;
  return (
    <Section flush title={`${plural(missing.length, "reference")} without a value`}>
      <ul class="lines" aria-label="References without a value">
        {missing.map((r) => (
          <li key={r.reference} class="bad">
            <Icon name="bad" />
            <div class="grow">
              <code>{r.reference}</code>
              <p class="muted">
                Used by <Users of={r.used_by} />
              </p>
              {r.type === "env" && (
                <p class="muted">Set {r.name} in the environment of the proxy and restart the proxy.</p>
              )}
            </div>
            {r.type === "keyring" && (
              <Button small onClick={() => onSet(r.name)}>
                Set value
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Users({ of }: { of: Secret["used_by"] }) {
  if (of.length === 0) return <span class="muted">nothing</span>;
  return (
    <>
      {of.map(({ server, field }) =>
        server === undefined ? (
          <span key={field} class="muted">
            {field}{" "}
          </span>
        ) : (
          <span key={`${server} ${field}`}>
            <a href={href(at("servers", server, "settings"))} title={field}>
              {server}
            </a>{" "}
          </span>
        ),
      )}
    </>
  );
}

const columns = (replace: (name: string) => void): readonly Column<Secret>[] => [
  {
    id: "name",
    title: "Name",
    width: "minmax(8rem, 1.3fr)",
    sort: (s) => s.name,
    cell: (s) => <span class="name mono">{s.name}</span>,
  },
  {
    id: "used",
    title: "Used by",
    width: "minmax(6rem, 1fr)",
    sort: (s) => s.used_by.length,
    cell: (s) => <Users of={s.used_by} />,
  },
  {
    id: "where",
    title: "Stored in",
    width: "8rem",
    from: "medium",
    sort: (s) => s.backend,
    cell: (s) => <Tag>{s.backend === "keyring" ? "system keyring" : "encrypted file"}</Tag>,
  },
  {
    id: "changed",
    title: "Changed",
    width: "7.5rem",
    from: "medium",
    sort: (s) => s.updated_at ?? "",
    cell: (s) => <span class="muted">{s.updated_at ? <Time at={s.updated_at} /> : "–"}</span>,
  },
  {
    id: "acts",
    title: "",
    width: "2rem",
    align: "end",
    cell: (s) => (
      <Menu
        label={`Actions for ${s.name}`}
        items={[
          { label: "Change value", icon: "edit", run: () => replace(s.name) },
          {
            label: "Copy reference",
            icon: "copy",
            run: () =>
              navigator.clipboard.writeText(s.reference).then(
                () => toast(`${s.reference} is copied`),
                () =>
                  toast(`the browser does not allow clipboard access; the reference is ${s.reference}`, {
                    tone: "bad",
                  }),
              ),
          },
          { label: "Remove", icon: "trash", danger: true, run: () => remove(s) },
        ]}
      />
    ),
  },
];

async function remove({ name, used_by }: Secret): Promise<void> {
  const users = [...new Set(used_by.map(({ server }) => server ?? "a setting of the proxy"))];
  const yes = await confirm({
    title: `Remove ${name}?`,
    consequence: `${
      users.length > 0 ? `${users.join(", ")} still use this secret and will not connect without it. ` : ""
    }Its value cannot be recovered.`,
    verb: "Remove",
    danger: true,
    ...(users.length > 0 && { typed: name }),
  });
  if (!yes) return;
  const query = { force: users.length > 0 ? "true" : "false" } as const;
  await act("DELETE /api/v1/secrets/{name}", { params: { name }, query }, { done: ({ message }) => message });
  await fresh("GET /api/v1/secrets", {});
}
