import { useContext, useState } from "preact/hooks";
import { Input, Select, Switch, TextArea } from "../field.tsx";
import { type Schema, typeOf } from "./schema.ts";
import { type KindProps, Root } from "./shared.ts";

/** A constant, which is set or omitted. */
export function Fixed({ label, hint, schema, required, value, onValue }: KindProps) {
  const text = JSON.stringify(schema.const);
  return (
    <Switch
      label={`${label}: ${text}`}
      hint={hint}
      checked={value !== undefined}
      blocked={required && value !== undefined && "Required; this is the only allowed value."}
      onChange={(on) => onValue(on ? schema.const : undefined)}
    />
  );
}

export function OneOfFew({
  label,
  hint,
  required,
  value,
  onValue,
  choices,
}: KindProps & { choices: readonly unknown[] }) {
  const { omitted } = useContext(Root);
  const texts = choices.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  const none = required && value !== undefined ? [] : ([["", omitted]] as const);
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

/** Three options if the member is optional: yes, no and not set. */
export function YesNo(props: KindProps) {
  const { label, hint, required, value, onValue, schema } = props;
  if (!required && schema.default === undefined && value === undefined)
    return <OneOfFew {...props} choices={[true, false]} />;
  return <Switch label={label} hint={hint} checked={(value ?? schema.default) === true} onChange={onValue} />;
}

export function Figure({ label, hint, schema, value, error, onValue }: KindProps) {
  const { placeholder } = useContext(Root);
  return (
    <Input
      label={label}
      hint={withRange(hint, schema)}
      error={error}
      type="number"
      step={typeOf(schema) === "integer" ? 1 : "any"}
      min={schema.minimum}
      max={schema.maximum}
      placeholder={exampleOf(schema) || placeholder}
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

export function Text({ name, label, hint, schema, value, error, onValue }: KindProps) {
  const { placeholder } = useContext(Root);
  const shared = {
    label,
    hint,
    error,
    placeholder: exampleOf(schema) || placeholder,
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

/** A JSON field for values without a specific field. */
export function AsJson({ label, hint, value, onValue }: Pick<KindProps, "label" | "hint" | "value" | "onValue">) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [wrong, setWrong] = useState<string>();
  const change = (next: string) => {
    setText(next);
    try {
      onValue(next.trim() === "" ? undefined : JSON.parse(next));
      setWrong(undefined);
    } catch {
      setWrong("not valid JSON");
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
