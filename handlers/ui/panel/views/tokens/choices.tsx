interface ChoicesProps {
  label: string;
  all: readonly string[];
  chosen: ReadonlySet<string>;
  onChosen(chosen: ReadonlySet<string>): void;
}

/** A selection of several names. */
export function Choices({ label, all, chosen, onChosen }: ChoicesProps) {
  if (all.length === 0) return <p class="hint">There are no servers yet.</p>;
  return (
    <ul class="choices scrolls" aria-label={label}>
      {all.map((name) => (
        <li key={name}>
          <label>
            <input
              type="checkbox"
              checked={chosen.has(name)}
              onChange={(e) => {
                const next = new Set(chosen);
                e.currentTarget.checked ? next.add(name) : next.delete(name);
                onChosen(next);
              }}
            />
            <span class="name">{name}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}
