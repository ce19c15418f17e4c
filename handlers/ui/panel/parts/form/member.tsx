import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { Button } from "../button.tsx";
import { Input, Select, Switch, TextArea } from "../field.tsx";
import { SchemaForm } from "../form.tsx";
import {
  beginning,
  DEEPEST,
  isValues,
  nameOf,
  resolved,
  type Schema,
  typeOf,
  variantOf,
  variantsOf,
} from "./schema.ts";

/** The schema that references lead into, and how far down the form is in it. */
export const Root = createContext<{ root: Schema; depth: number }>({ root: {}, depth: 0 });

interface MemberProps {
  name: string;
  label: string;
  schema: Schema;
  required: boolean;
  value: unknown;
  error: string | undefined;
  /** Undefined leaves it out. */
  onValue(value: unknown): void;
}

/** One value of a form, by the kind its schema says it is. */
export function Member({ schema: raw, ...props }: MemberProps) {
  const { root, depth } = useContext(Root);
  const schema = resolved(raw, root);
  const all = { ...props, schema, hint: schema.description };
  if (depth >= DEEPEST) return <AsJson {...all} />;
  const variants = variantsOf(schema, root);
  const [only, ...others] = variants;
  // Of a value or null there is one shape; it keeps what is said about the whole.
  if (only && others.length === 0) {
    const { oneOf: _, anyOf: __, ...own } = schema;
    return <Member {...props} schema={{ ...only, ...own }} />;
  }
  if (only) return <OneOf {...all} variants={variants} />;
  if (schema.const !== undefined) return <Fixed {...all} />;
  if (schema.enum) return <OneOfFew {...all} choices={schema.enum} />;
  switch (typeOf(schema)) {
    case "boolean":
      return <YesNo {...all} />;
    case "integer":
    case "number":
      return <Figure {...all} />;
    case "string":
      return <Text {...all} />;
    case "array":
      return <List {...all} />;
    default:
      return schema.properties ? <Group {...all} /> : <AsJson {...all} />;
  }
}

type KindProps = MemberProps & { hint: string | undefined };

/** Nothing to choose: it is this, or left out. */
function Fixed({ label, hint, schema, required, value, onValue }: KindProps) {
  const text = JSON.stringify(schema.const);
  return (
    <Switch
      label={`${label}: ${text}`}
      hint={hint}
      checked={value !== undefined}
      disabled={required && value !== undefined}
      onChange={(on) => onValue(on ? schema.const : undefined)}
    />
  );
}

function OneOfFew({ label, hint, required, value, onValue, choices }: KindProps & { choices: readonly unknown[] }) {
  const texts = choices.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  const none = required && value !== undefined ? [] : ([["", "not given"]] as const);
  return (
    <Select
      label={label}
      hint={hint}
      value={value === undefined ? "" : (texts[choices.indexOf(value)] ?? "")}
      options={[...none, ...texts.map((t) => [t, t] as const)]}
      onValue={(text) => onValue(text === "" ? undefined : choices[texts.indexOf(text)])}
    />
  );
}

/** Left out is a third answer where nothing is said about it. */
function YesNo(props: KindProps) {
  const { label, hint, required, value, onValue, schema } = props;
  if (!required && schema.default === undefined && value === undefined)
    return <OneOfFew {...props} choices={[true, false]} />;
  return <Switch label={label} hint={hint} checked={(value ?? schema.default) === true} onChange={onValue} />;
}

function Figure({ label, hint, schema, value, error, onValue }: KindProps) {
  return (
    <Input
      label={label}
      hint={withRange(hint, schema)}
      error={error}
      type="number"
      step={typeOf(schema) === "integer" ? 1 : "any"}
      min={schema.minimum}
      max={schema.maximum}
      placeholder={exampleOf(schema)}
      value={value === undefined ? "" : String(value)}
      onValue={(text) => onValue(text === "" ? undefined : Number(text))}
    />
  );
}

function withRange(hint: string | undefined, { minimum: from, maximum: to }: Schema): string | undefined {
  const range =
    from !== undefined && to !== undefined
      ? `${from} to ${to}`
      : from !== undefined
        ? `at least ${from}`
        : to !== undefined
          ? `at most ${to}`
          : undefined;
  return [hint, range].filter(Boolean).join(" · ") || undefined;
}

const exampleOf = ({ examples, default: otherwise }: Schema): string => {
  const [first = otherwise] = examples ?? [];
  return first === undefined || typeof first === "object" ? "" : String(first);
};

const TYPES: Readonly<Record<string, "date" | "time" | "url" | "email">> = {
  date: "date",
  time: "time",
  uri: "url",
  url: "url",
  email: "email",
};

function Text({ name, label, hint, schema, value, error, onValue }: KindProps) {
  const shared = {
    label,
    hint,
    error,
    placeholder: exampleOf(schema),
    value: typeof value === "string" ? value : "",
    onValue: (text: string) => onValue(text === "" ? undefined : text),
  };
  if (isLong(name, schema)) return <TextArea {...shared} rows={3} />;
  return <Input {...shared} type={TYPES[schema.format ?? ""] ?? "text"} />;
}

const isLong = (name: string, { format, maxLength }: Schema) =>
  format === "multiline" ||
  (maxLength !== undefined && maxLength > 300) ||
  /^(text|content|body|code|prompt|message|markdown)$/i.test(name);

function Group({ label, hint, schema, required, value, onValue }: KindProps) {
  const { root, depth } = useContext(Root);
  return (
    <fieldset class="form-group">
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      <Root.Provider value={{ root, depth: depth + 1 }}>
        <SchemaForm
          schema={schema}
          values={isValues(value) ? value : {}}
          onValues={(inner) => onValue(Object.keys(inner).length === 0 && !required ? undefined : inner)}
        />
      </Root.Provider>
    </fieldset>
  );
}

/** Which of several shapes, then that one's own fields. */
function OneOf(props: KindProps & { variants: readonly Schema[] }) {
  const { name, label, hint, required, value, onValue, variants } = props;
  const { root, depth } = useContext(Root);
  const [chosen, setChosen] = useState(() => (value === undefined ? -1 : variantOf(value, variants)));
  const shape = value === undefined && chosen < 0 ? undefined : variants[Math.max(0, chosen)];
  const choose = (text: string) => {
    const next = text === "" ? -1 : Number(text);
    setChosen(next);
    const of = variants[next];
    onValue(of && beginning(of, root));
  };
  return (
    <fieldset class="form-group">
      <legend>{label}</legend>
      <Select
        label={`Kind of ${name}`}
        hint={hint}
        value={shape ? String(Math.max(0, chosen)) : ""}
        options={[
          ...(required && shape ? [] : [["", "not given"] as const]),
          ...variants.map((v, i) => [String(i), nameOf(v, i)] as const),
        ]}
        onValue={choose}
      />
      {shape && (
        <Root.Provider value={{ root, depth: depth + 1 }}>
          {shape.properties ? (
            <SchemaForm schema={shape} values={isValues(value) ? value : {}} onValues={onValue} />
          ) : (
            <Member
              name={name}
              label={`Value of ${name}`}
              schema={shape}
              required
              value={value}
              error={undefined}
              onValue={onValue}
            />
          )}
        </Root.Provider>
      )}
    </fieldset>
  );
}

/** Texts stand one a line; few known values are ticked; anything else has fields of its own for each entry. */
function List(props: KindProps) {
  const { label, hint, schema, value, error, onValue } = props;
  const { root } = useContext(Root);
  const items = schema.items && resolved(schema.items, root);
  const now: readonly unknown[] = Array.isArray(value) ? value : [];
  const set = (next: readonly unknown[]) => onValue(next.length === 0 ? undefined : next);
  if (!items) return <AsJson {...props} />;
  if (items.enum) return <SomeOfFew label={label} hint={hint} choices={items.enum} now={now} onNow={set} />;
  if (typeOf(items) === "string" && !items.oneOf && !items.anyOf)
    return (
      <TextArea
        label={label}
        hint={hint ? `${hint} (one a line)` : "one a line"}
        error={error}
        rows={Math.min(8, now.length + 1)}
        value={now.join("\n")}
        onValue={(text) => set(text === "" ? [] : text.split("\n"))}
      />
    );
  return <Entries {...props} items={items} now={now} onNow={set} />;
}

function SomeOfFew(props: {
  label: string;
  hint: string | undefined;
  choices: readonly unknown[];
  now: readonly unknown[];
  onNow(now: readonly unknown[]): void;
}) {
  const { label, hint, choices, now, onNow } = props;
  return (
    <fieldset class="stack tight">
      <legend class="label">{label}</legend>
      <div class="row">
        {choices.map((one) => (
          <label key={String(one)} class="tick">
            <input
              type="checkbox"
              checked={now.includes(one)}
              onChange={(e) =>
                onNow(choices.filter((other) => (other === one ? e.currentTarget.checked : now.includes(other))))
              }
            />
            {String(one)}
          </label>
        ))}
      </div>
      {hint && <p class="hint">{hint}</p>}
    </fieldset>
  );
}

type EntriesProps = KindProps & { items: Schema; now: readonly unknown[]; onNow(now: readonly unknown[]): void };

function Entries({ name, label, hint, items, now, onNow }: EntriesProps) {
  const { root, depth } = useContext(Root);
  return (
    <fieldset class="form-group">
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      <Root.Provider value={{ root, depth: depth + 1 }}>
        {now.map((one, i) => (
          <div key={i} class="entry">
            <Member
              name={name}
              label={`${name} ${i + 1}`}
              schema={items}
              required
              value={one ?? undefined}
              error={undefined}
              onValue={(next) => onNow(now.map((old, n) => (n === i ? (next ?? null) : old)))}
            />
            <Button
              small
              kind="bare"
              icon="trash"
              label={`Take ${name} ${i + 1} away`}
              onClick={() => onNow(now.filter((_, n) => n !== i))}
            />
          </div>
        ))}
      </Root.Provider>
      <div class="row">
        <Button small icon="plus" onClick={() => onNow([...now, beginning(items, root) ?? null])}>
          Add to {name}
        </Button>
      </div>
    </fieldset>
  );
}

/** Anything a form has no field for. */
export function AsJson({ label, hint, value, onValue }: Pick<KindProps, "label" | "hint" | "value" | "onValue">) {
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
      rows={Math.min(16, Math.max(3, text.split("\n").length))}
      mono
      value={text}
      onValue={change}
    />
  );
}
