import { useContext, useState } from "preact/hooks";
import { Select } from "../field.tsx";
import { SchemaForm } from "../form.tsx";
import { withCode } from "../marked-text.tsx";
import { Member } from "./member.tsx";
import { beginning, isValues, nameOf, type Schema, variantOf } from "./schema.ts";
import { type KindProps, Root } from "./shared.ts";

/** A nested object. */
export function Group({ label, hint, schema, required, value, onValue }: KindProps) {
  const shared = useContext(Root);
  return (
    <fieldset class="form-group">
      <legend>{label}</legend>
      {hint && <p class="hint">{withCode(hint)}</p>}
      <Root.Provider value={{ ...shared, depth: shared.depth + 1 }}>
        <SchemaForm
          schema={schema}
          values={isValues(value) ? value : {}}
          onValues={(inner) => onValue(Object.keys(inner).length === 0 && !required ? undefined : inner)}
        />
      </Root.Provider>
    </fieldset>
  );
}

/** A selection of one of several shapes, with that shape's fields. */
export function OneOf(props: KindProps & { variants: readonly Schema[] }) {
  const { name, label, hint, required, value, onValue, variants } = props;
  const shared = useContext(Root);
  const { root } = shared;
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
        label={`Type of ${name}`}
        hint={hint}
        value={shape ? String(Math.max(0, chosen)) : ""}
        options={[
          ...(required && shape ? [] : [["", shared.omitted] as const]),
          ...variants.map((v, i) => [String(i), nameOf(v, i)] as const),
        ]}
        onValue={choose}
      />
      {shape && (
        <Root.Provider value={{ ...shared, depth: shared.depth + 1 }}>
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
