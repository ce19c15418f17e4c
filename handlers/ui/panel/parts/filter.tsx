import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** A selection of one of a few options, all visible. */
export function Segments<T extends string>(props: {
  label: string;
  value: T;
  options: readonly Segment<T>[];
  onValue(value: T): void;
}) {
  const { label, value, options, onValue } = props;
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(({ value: own, text, count, blocked }) => (
        <Button key={own} small kind="bare" pressed={own === value} blocked={blocked} onClick={() => onValue(own)}>
          {text}
          {count !== undefined && <span class="muted">{count}</span>}
        </Button>
      ))}
    </div>
  );
}

interface Segment<T extends string> {
  value: T;
  text: string;
  /** Count shown after the label. */
  count?: ComponentChildren;
  /** Why it is disabled. */
  blocked?: string | false;
}

/** The options from a record of labels. */
export const segmentsOf = <T extends string>(texts: Readonly<Record<T, string>>): Segment<T>[] =>
  (Object.entries(texts) as [T, string][]).map(([value, text]) => ({ value, text }));

/** A search field; its label says what is searched, its placeholder what to enter. */
export function Search(props: { label: string; placeholder?: string; value: string; onValue(value: string): void }) {
  const { label, placeholder = label, value, onValue } = props;
  return (
    <span class="search">
      <Icon name="search" size={14} />
      <input
        class="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onInput={(e) => onValue(e.currentTarget.value)}
      />
    </span>
  );
}
