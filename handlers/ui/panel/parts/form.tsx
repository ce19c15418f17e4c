import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Input, Select, Switch, TextArea } from "./field.tsx";

/** The part of JSON Schema that forms are made of; anything else is entered as JSON. */
export interface Schema {
  type?: string | readonly string[];
  title?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  format?: string;
}

export type Values = Readonly<Record<string, unknown>>;

/** What an empty form of this schema holds: the defaults. */
export function initial(schema: Schema): Values {
  const given = Object.entries(schema.properties ?? {}).filter(([, s]) => s.default !== undefined);
  return Object.fromEntries(given.map(([name, s]) => [name, s.default]));
}

/** Names of required members that are missing. */
export function missing(schema: Schema, values: Values): string[] {
  return (schema.required ?? []).filter((name) => values[name] === undefined || values[name] === "");
}

/** A form made from the JSON Schema of an object. An empty field is left out of the values. */
export function SchemaForm({
  schema,
  values,
  onValues,
  errors = {},
}: {
  schema: Schema;
  values: Values;
  onValues(values: Values): void;
  errors?: Readonly<Record<string, string>>;
}) {
  const entries = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required ?? []);
  entries.sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)));
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = values;
    onValues(value === undefined ? rest : { ...rest, [name]: value });
  };
  if (entries.length === 0) return <p class="muted">It takes no arguments.</p>;
  return (
    <div class="form">
      {entries.map(([name, member]) => (
        <Member
          key={name}
          name={name}
          schema={member}
          required={required.has(name)}
          value={values[name]}
          error={errors[name]}
          onValue={(value) => set(name, value)}
        />
      ))}
    </div>
  );
}

interface MemberProps {
  name: string;
  schema: Schema;
  required: boolean;
  value: unknown;
  error: string | undefined;
  onValue(value: unknown): void;
}

function Member(props: MemberProps) {
  const { name, schema, required, value, error, onValue } = props;
  const label = `${name}${required ? " *" : ""}`;
  const hint = schema.description;
  const type = typeof schema.type === "string" ? schema.type : schema.type?.find((t) => t !== "null");
  if (schema.enum) {
    const texts = schema.enum.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
    const options = [
      ...(required && value !== undefined ? [] : ([["", "not given"]] as const)),
      ...texts.map((t) => [t, t] as const),
    ];
    const now = value === undefined ? "" : (texts[schema.enum.indexOf(value)] ?? "");
    return (
      <Select
        label={label}
        hint={hint}
        value={now}
        options={options}
        onValue={(text) => onValue(text === "" ? undefined : schema.enum?.[texts.indexOf(text)])}
      />
    );
  }
  if (type === "boolean")
    return <Switch label={label} hint={hint} checked={value === true} onChange={(on) => onValue(on)} />;
  if (type === "integer" || type === "number")
    return (
      <Input
        label={label}
        hint={hint}
        error={error}
        type="number"
        step={type === "integer" ? 1 : "any"}
        min={schema.minimum}
        max={schema.maximum}
        value={value === undefined ? "" : String(value)}
        onValue={(text) => onValue(text === "" ? undefined : Number(text))}
      />
    );
  if (type === "string")
    return isLong(name, schema) ? (
      <TextArea
        label={label}
        hint={hint}
        error={error}
        rows={3}
        value={typeof value === "string" ? value : ""}
        onValue={(text) => onValue(text === "" ? undefined : text)}
      />
    ) : (
      <Input
        label={label}
        hint={hint}
        error={error}
        value={typeof value === "string" ? value : ""}
        onValue={(text) => onValue(text === "" ? undefined : text)}
      />
    );
  if (type === "array" && schema.items?.type === "string")
    return (
      <TextArea
        label={label}
        hint={hint ? `${hint} (one a line)` : "one a line"}
        error={error}
        rows={Math.min(8, (Array.isArray(value) ? value.length : 0) + 1)}
        value={Array.isArray(value) ? value.join("\n") : ""}
        onValue={(text) => onValue(text === "" ? undefined : text.split("\n"))}
      />
    );
  if (type === "object" && schema.properties)
    return (
      <fieldset class="form-group">
        <legend>{label}</legend>
        {hint && <p class="hint">{hint}</p>}
        <SchemaForm
          schema={schema}
          values={(value as Values | undefined) ?? {}}
          onValues={(inner) => onValue(Object.keys(inner).length === 0 && !required ? undefined : inner)}
        />
      </fieldset>
    );
  return <JsonMember {...props} label={label} hint={hint} />;
}

const isLong = (name: string, { format }: Schema) =>
  format === "multiline" || /^(text|content|body|code|query|prompt|message|markdown)$/i.test(name);

/** Anything a form has no field for. */
function JsonMember({ label, hint, value, onValue }: MemberProps & { label: string; hint: string | undefined }) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [wrong, setWrong] = useState<string>();
  const change = (next: string) => {
    setText(next);
    try {
      onValue(next.trim() === "" ? undefined : JSON.parse(next));
      setWrong(undefined);
    } catch {
      setWrong("this is no JSON yet");
    }
  };
  return (
    <TextArea
      label={label}
      hint={hint ? `${hint} (JSON)` : "JSON"}
      error={wrong}
      rows={3}
      mono
      value={text}
      onValue={change}
    />
  );
}

/** The same values as a form or as JSON, whichever the person likes better. */
export function SchemaEditor(props: { schema: Schema; values: Values; onValues(values: Values): void }) {
  const [raw, setRaw] = useState(false);
  const { schema, values, onValues } = props;
  return (
    <div class="stack">
      <div class="row end">
        <Button small kind="bare" icon="code" pressed={raw} onClick={() => setRaw(!raw)}>
          {raw ? "As a form" : "As JSON"}
        </Button>
      </div>
      {raw ? (
        <JsonMember
          name="arguments"
          label="Arguments"
          hint={undefined}
          schema={schema}
          required
          error={undefined}
          value={values}
          onValue={(value) => typeof value === "object" && value !== null && onValues(value as Values)}
        />
      ) : (
        <SchemaForm schema={schema} values={values} onValues={onValues} />
      )}
    </div>
  );
}
