import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { withCode } from "./marked-text.tsx";

interface FieldProps {
  label: string;
  /** What to enter, and its effect. */
  hint?: ComponentChildren;
  /** The error. */
  error?: string | undefined;
  children: (attributes: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }) => ComponentChildren;
}

/** A form field with label, hint and error, associated for assistive technology. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described && { "aria-describedby": described }),
        ...(error && { "aria-invalid": true as const }),
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {typeof hint === "string" ? withCode(hint) : hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface InputProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  value: string;
  onValue(value: string): void;
  mono?: boolean;
  type?: "text" | "password" | "number" | "search" | "url" | "email" | "date" | "time" | "datetime-local";
  placeholder?: string;
  autocomplete?: string;
  list?: string;
  min?: number | undefined;
  max?: number | undefined;
  step?: number | "any";
  required?: boolean;
  disabled?: boolean;
}

/** One line of text. */
export function Input({ label, hint, error, value, onValue, mono, ...rest }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <input
          {...(rest as object)}
          {...attributes}
          class={`input${mono ? " mono" : ""}`}
          value={value}
          onInput={(e) => onValue(e.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface TextAreaProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  value: string;
  onValue(value: string): void;
  rows?: number;
  placeholder?: string;
  mono?: boolean;
}

/** Several lines of text. */
export function TextArea({ label, hint, error, value, onValue, rows = 5, placeholder, mono }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <textarea
          {...attributes}
          class={`input${mono ? " mono" : ""}`}
          rows={rows}
          placeholder={placeholder}
          spellcheck={false}
          value={value}
          onInput={(e) => onValue(e.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectProps<T extends string> {
  label: string;
  hint?: ComponentChildren;
  value: T;
  options: readonly (readonly [value: T, text: string])[];
  onValue(value: T): void;
}

/** A selection of one of a few options. */
export function Select<T extends string>({ label, hint, value, options, onValue }: SelectProps<T>) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <select {...attributes} class="input" value={value} onChange={(e) => onValue(e.currentTarget.value as T)}>
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A switch that takes effect immediately. */
export function Switch({
  label,
  hint,
  checked,
  blocked,
  onChange,
}: {
  label: string;
  hint?: ComponentChildren;
  checked: boolean;
  /** Why it is disabled; replaces the hint. It remains focusable. */
  blocked?: string | false | undefined;
  onChange(checked: boolean): void;
}) {
  const id = useId();
  const said = blocked || hint;
  return (
    <div class="switch">
      <input
        type="checkbox"
        role="switch"
        id={id}
        checked={checked}
        aria-disabled={blocked ? true : undefined}
        aria-describedby={said ? `${id}-hint` : undefined}
        onClick={(e) => blocked && e.preventDefault()}
        onChange={(e) => onChange(e.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {said && (
        <p class="hint" id={`${id}-hint`}>
          {typeof said === "string" ? withCode(said) : said}
        </p>
      )}
    </div>
  );
}

/** Whether a value is a mask that the API sent in place of a secret. */
export const isMasked = (value: string) => value.includes("••••");

/**
 * A field for a value that can be secret. The mask is never sent back: until the user replaces the value, the field is
 * omitted when saving (`value` undefined).
 */
export function SecretInput({
  label,
  masked,
  value,
  onValue,
}: {
  label: string;
  /** The masked value from the proxy. */
  masked: string;
  /** The new value; undefined keeps the old one. */
  value: string | undefined;
  onValue(value: string | undefined): void;
}) {
  const [seen, setSeen] = useState(false);
  if (value === undefined)
    return (
      <Field label={label}>
        {(attributes) => (
          <div class="input-row">
            <output {...attributes} class="input mono muted">
              {masked || "(empty)"}
            </output>
            <Button small onClick={() => onValue(isMasked(masked) ? "" : masked)}>
              {isMasked(masked) ? "Replace" : "Edit"}
            </Button>
          </div>
        )}
      </Field>
    );
  return (
    <Field label={label} hint="${keyring:NAME} and ${env:NAME} are resolved when the server starts.">
      {(attributes) => (
        <div class="input-row">
          <input
            {...attributes}
            {...({ type: seen ? "text" : "password" } as object)}
            class="input mono"
            autocomplete="off"
            value={value}
            onInput={(e) => onValue(e.currentTarget.value)}
          />
          <Button small pressed={seen} onClick={() => setSeen(!seen)}>
            {seen ? "Hide" : "Show"}
          </Button>
          <Button small onClick={() => onValue(undefined)}>
            Keep the stored value
          </Button>
        </div>
      )}
    </Field>
  );
}
