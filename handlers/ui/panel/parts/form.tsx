import { useContext } from "preact/hooks";
import { Member } from "./form/member.tsx";
import { isValues, type Schema, type Values } from "./form/schema.ts";
import { Root } from "./form/shared.ts";
import { AsJson } from "./form/simple.tsx";

export { initial, missing, type Schema, type Values } from "./form/schema.ts";

interface FormProps {
  schema: Schema;
  values: Values;
  onValues(values: Values): void;
  errors?: Readonly<Record<string, string>>;
  /** The label of a member; by default its name. */
  labelOf?: (name: string) => string;
  /** What an omitted member means; by default `not given`. */
  omitted?: string;
}

/** A form generated from the JSON Schema of an object. Empty fields are omitted from the values. */
export function SchemaForm({ schema, values, onValues, errors = {}, labelOf, omitted }: FormProps) {
  const outer = useContext(Root);
  const shared =
    outer.depth === 0
      ? { ...outer, root: schema, ...(labelOf && { labelOf }), ...(omitted && { omitted, placeholder: omitted }) }
      : outer;
  const entries = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required ?? []);
  entries.sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)));
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = values;
    onValues(value === undefined ? rest : { ...rest, [name]: value });
  };
  if (entries.length === 0) return <p class="muted">This tool has no arguments.</p>;
  return (
    <Root.Provider value={shared}>
      <div class="form">
        {entries.map(([name, member]) => (
          <Member
            key={name}
            name={name}
            label={`${shared.labelOf(name)}${required.has(name) ? " *" : ""}`}
            schema={member}
            required={required.has(name)}
            value={values[name]}
            error={errors[name]}
            onValue={(value) => set(name, value)}
          />
        ))}
      </div>
    </Root.Provider>
  );
}

/** The same values as JSON text, as an alternative. */
export function ValuesAsJson({ values, onValues }: { values: Values; onValues(values: Values): void }) {
  return (
    <AsJson label="Arguments" hint={undefined} value={values} onValue={(value) => isValues(value) && onValues(value)} />
  );
}
