import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { call, reasonOf } from "../../api.ts";
import { fresh } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Input, Select, Switch } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import type { Added, Listed } from "./listed.ts";

type Wanted = Listed["required_inputs"][number];

interface AddProps {
  registry: string;
  server: Listed;
  onAdded(server: Added): unknown;
  /** Additional buttons, before the one that adds. */
  children?: ComponentChildren;
}

/** Adds a listed server: asks for its inputs, or shows why it cannot be added. */
export function AddListed(props: AddProps) {
  const { not_installable: why } = props.server;
  if (why === undefined) return <Asked {...props} />;
  return (
    <div class="notice warn">
      <Icon name="warn" />
      <p class="grow">This server cannot be added: {why}</p>
    </div>
  );
}

function Asked({ registry, server, onAdded, children }: AddProps) {
  const [name, setName] = useState("");
  const [env, setEnv] = useState<Readonly<Record<string, string>>>({});
  const [enabled, setEnabled] = useState(true);
  const [wrong, setWrong] = useState<string>();
  const { required_inputs: required, optional_inputs: optional } = server;
  const missing = required.filter((input) => (env[input.name] ?? "") === "");
  const reasonId = useId();
  const needed = missing.length > 0 && `${missing.map((m) => m.name).join(", ")}required`;
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
        hint="Name of the server in this proxy; default: the last part of its id."
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
        label="Connect immediately"
        hint="The server starts in quarantine: you review its tools before clients can call them."
        checked={enabled}
        onChange={setEnabled}
      />
      {wrong && (
        <p class="error" role="alert">
          {wrong}
        </p>
      )}
      <div class="row end">
        {needed && (
          <span class="hint" id={reasonId}>
            {needed}
          </span>
        )}
        {children}
        <Button kind="main" type="submit" icon="plus" blocked={needed} reasonId={reasonId}>
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

/** One input; the text of a secret is hidden. */
function Value({ input, required, value, onValue }: ValueProps) {
  const label = `${input.name}${required ? " *" : ""}`;
  const hint = input.secret
    ? `${input.description} Stored as a secret; a reference such as \${keyring:NAME} is kept unchanged.`.trim()
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
