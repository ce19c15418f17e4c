import { useState } from "preact/hooks";
import { call, type Data, reasonOf } from "../api.ts";
import { fresh, useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Badge, Tag } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Snippet } from "../parts/copy.tsx";
import { Field, Input, Select, Switch } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { Shown } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { at, href } from "../route.ts";

type Listed = Data<"GET /api/v1/registries/{id}/servers/{serverId}">;
type Wanted = Listed["required_inputs"][number];
type Added = Data<"POST /api/v1/registries/{id}/servers/{serverId}/add">["server"];

/** One server of a registry: what it is, what it would run, and what adding it asks for. */
export default function ListedServer({ registry = "", server = "" }: PageProps) {
  const listed = useLive("GET /api/v1/registries/{id}/servers/{serverId}", {
    params: { id: registry, serverId: server },
  });
  const title = listed.data?.name ?? server;
  return (
    <Page
      title={title}
      crumbs={[["Registries", `/registries?registry=${encodeURIComponent(registry)}`]]}
      aside={
        <>
          {listed.data?.status && <Badge tone="warn">{listed.data.status}</Badge>}
          {listed.data && listed.data.added.length > 0 && <Badge tone="ok">Added</Badge>}
        </>
      }
      {...(listed.data?.description && { about: listed.data.description })}
    >
      <Shown of={listed}>{(found) => <Entry key={found.id} registry={registry} server={found} />}</Shown>
    </Page>
  );
}

/** A link away; only to an address of the web, whatever the registry says. */
function away(to: string | undefined) {
  if (to === undefined || !/^https?:\/\//i.test(to)) return undefined;
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      {to.replace(/^https?:\/\//i, "")} <Icon name="external" size={11} />
    </a>
  );
}

function Entry({ registry, server }: { registry: string; server: Listed }) {
  const [added, setAdded] = useState<Added>();
  return (
    <>
      {added ? (
        <Done server={added} />
      ) : (
        server.added.length > 0 && (
          <div class="notice">
            <Icon name="check" />
            <p class="grow">
              Added already as{" "}
              {server.added.map((name, i) => (
                <span key={name}>
                  {i > 0 && ", "}
                  <a href={href(at("servers", name))}>{name}</a>
                </span>
              ))}
              . It can be added once more under another name.
            </p>
          </div>
        )
      )}
      <div class="columns">
        <Section title="What it is">
          <div class="stack">
            <Facts
              of={[
                ["Id", <code key="id">{server.id}</code>],
                ["Version", server.version],
                ["Kind", server.kind],
                ["Page", away(server.url)],
                ["Source code", away(server.source_code_url)],
                ["Published", server.created_at && <Time at={server.created_at} />],
                ["Changed", server.updated_at && <Time at={server.updated_at} />],
                [
                  "Tags",
                  server.tags.length > 0 && (
                    <span key="tags" class="row">
                      {server.tags.map((tag) => (
                        <Tag key={tag}>{tag}</Tag>
                      ))}
                    </span>
                  ),
                ],
              ]}
            />
            {server.install_cmd && (
              <>
                <h3>It would run</h3>
                <Snippet label="command" text={server.install_cmd} />
              </>
            )}
            {server.connect_url && (
              <>
                <h3>It would be reached at</h3>
                <Snippet label="address" text={server.connect_url} />
              </>
            )}
          </div>
        </Section>
        {!added && (
          <Section title="Add it">
            {server.not_installable === undefined ? (
              <Add registry={registry} server={server} onAdded={setAdded} />
            ) : (
              <div class="notice warn">
                <Icon name="warn" />
                <p class="grow">It cannot be added: {server.not_installable}</p>
              </div>
            )}
          </Section>
        )}
      </div>
    </>
  );
}

function Done({ server }: { server: Added }) {
  return (
    <section class="hero" role="status">
      <span class="hero-icon ok">
        <Icon name="check" size={20} />
      </span>
      <div class="grow">
        <h2>{server.name} is added</h2>
        <p class="muted">
          {server.quarantined
            ? "It is in quarantine: none of its tools can be called until you have looked at it and released it."
            : "It is not in quarantine, as the configuration says."}
          {server.secrets.length > 0 && ` Kept in the keyring: ${server.secrets.join(", ")}.`}
        </p>
      </div>
      <div class="row">
        <a class="button" href={href(at("servers", server.name))}>
          Open it
        </a>
        {server.quarantined && (
          <a class="button main" href={href("/approvals")}>
            Review
          </a>
        )}
      </div>
    </section>
  );
}

interface AddProps {
  registry: string;
  server: Listed;
  onAdded(server: Added): void;
}

function Add({ registry, server, onAdded }: AddProps) {
  const [name, setName] = useState("");
  const [env, setEnv] = useState<Readonly<Record<string, string>>>({});
  const [enabled, setEnabled] = useState(true);
  const [wrong, setWrong] = useState<string>();
  const { required_inputs: required, optional_inputs: optional } = server;
  const missing = required.filter((input) => (env[input.name] ?? "") === "");
  const add = async () => {
    setWrong(undefined);
    const params = { id: registry, serverId: server.id };
    try {
      const { server: added } = await call("POST /api/v1/registries/{id}/servers/{serverId}/add", {
        params,
        body: {
          enabled,
          ...(name.trim() !== "" && { name: name.trim() }),
          env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== "")),
        },
      });
      setEnv({});
      await fresh("GET /api/v1/servers", {});
      onAdded(added);
      await fresh("GET /api/v1/registries/{id}/servers/{serverId}", { params });
    } catch (error) {
      setWrong(reasonOf(error));
    }
  };
  const inputs = (list: readonly Wanted[], must: boolean) =>
    list.map((input) => (
      <Value
        key={input.name}
        input={input}
        required={must}
        value={env[input.name] ?? ""}
        onValue={(value) => setEnv({ ...env, [input.name]: value })}
      />
    ));
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing.length === 0) void add();
      }}
    >
      <Input
        label="Name (optional)"
        hint="What it is called here; the last part of its id unless you say otherwise."
        autocomplete="off"
        value={name}
        onValue={setName}
      />
      {inputs(required, true)}
      {optional.length > 0 && (
        <details>
          <summary>{optional.length} more that may be given</summary>
          <div class="form">{inputs(optional, false)}</div>
        </details>
      )}
      <Switch
        label="Connect at once"
        hint="It starts in quarantine, so that you can see its tools before anybody can call them."
        checked={enabled}
        onChange={setEnabled}
      />
      {wrong && (
        <p class="error" role="alert">
          {wrong}
        </p>
      )}
      <div class="row end">
        {missing.length > 0 && <span class="hint">{missing.map((m) => m.name).join(", ")} still needed</span>}
        <Button kind="main" type="submit" icon="plus" disabled={missing.length > 0}>
          Add server
        </Button>
      </div>
    </form>
  );
}

interface ValueProps {
  input: Wanted;
  required: boolean;
  value: string;
  onValue(value: string): void;
}

/** One value that is asked for; a secret is not shown while it is typed. */
function Value({ input, required, value, onValue }: ValueProps) {
  const label = `${input.name}${required ? " *" : ""}`;
  const hint = input.secret
    ? `${input.description} It goes into the keyring; a reference such as \${keyring:NAME} stays as it is.`.trim()
    : input.description;
  if (input.choices)
    return (
      <Select
        label={label}
        hint={hint}
        value={value}
        options={[["", "not given"], ...input.choices.map((c) => [c, c] as const)]}
        onValue={onValue}
      />
    );
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <input
          {...attributes}
          class="input mono"
          {...({ type: input.secret ? "password" : "text" } as object)}
          autocomplete={input.secret ? "new-password" : "off"}
          spellcheck={false}
          value={value}
          onInput={(e) => onValue(e.currentTarget.value)}
        />
      )}
    </Field>
  );
}
