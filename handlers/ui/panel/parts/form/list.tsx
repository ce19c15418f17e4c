import { useContext } from "preact/hooks";
import { Button } from "../button.tsx";
import { TextArea } from "../field.tsx";
import { withCode } from "../marked-text.tsx";
import { sentence } from "../time.tsx";
import { Member } from "./member.tsx";
import { beginning, resolved, type Schema, typeOf } from "./schema.ts";
import { type KindProps, Root } from "./shared.ts";
import { AsJson } from "./simple.tsx";

/** A list: texts one per line, few known values as check boxes, other values with fields for each entry. */
export function List(props: KindProps) {
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
        hint={hint ? `One per line. ${sentence(hint)}` : "One per line."}
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
      {hint && <p class="hint">{withCode(hint)}</p>}
    </fieldset>
  );
}

type EntriesProps = KindProps & { items: Schema; now: readonly unknown[]; onNow(now: readonly unknown[]): void };

function Entries({ name, label, hint, items, now, onNow }: EntriesProps) {
  const shared = useContext(Root);
  const { root, depth } = shared;
  return (
    <fieldset class="form-group">
      <legend>{label}</legend>
      {hint && <p class="hint">{withCode(hint)}</p>}
      <Root.Provider value={{ ...shared, depth: depth + 1 }}>
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
              label={`Remove ${name} ${i + 1}`}
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
