import { Button } from "../../parts/button.tsx";
import { keyLabel } from "../../parts/key-label.ts";
import { Section } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";
import { setQuery } from "../../route.ts";
import type { Difference } from "./differences.ts";

/** Longest value that is shown in full (characters). */
const MAX_SHOWN = 120;

/** The settings that differ from their defaults, each with the way to change and to reset it. */
export function ChangedSettings(props: {
  differences: readonly Difference[];
  /** The subject of a key. */
  subjectOf(key: string): string;
  onReset(path: Difference["path"]): void;
}) {
  const { differences, subjectOf, onReset } = props;
  if (differences.length === 0)
    return (
      <Section>
        <Empty icon="settings" title="All settings have their defaults">
          Choose a subject, or search for a setting. What you change is listed here.
        </Empty>
      </Section>
    );
  return (
    <Section title="Changed from the default" flush>
      <ul class="lines" aria-label="Changed settings">
        {differences.map(({ path, value, standard }) => {
          const [key] = path;
          const label = path.map(keyLabel).join(" › ");
          return (
            <li key={path.join(".")}>
              <div class="grow">
                <span class="name">{label}</span> <span class="muted">{subjectOf(key)}</span>
                <p>
                  <code>{shownValue(value)}</code>{" "}
                  <span class="muted">
                    {standard === undefined ? "(no default)" : <>instead of {shownValue(standard)}</>}
                  </span>
                </p>
              </div>
              <div class="row">
                <Button
                  small
                  label={`Change ${label}`}
                  icon="edit"
                  onClick={() => setQuery({ find: key, group: "" })}
                />
                <Button small onClick={() => onReset(path)} title={`${label}: use the default`}>
                  Reset
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function shownValue(value: unknown): string {
  if (value === true) return "on";
  if (value === false) return "off";
  if (Array.isArray(value) && value.length === 0) return "none";
  const names = Array.isArray(value) ? value.map((one) => (one as { name?: unknown } | null)?.name) : [];
  if (names.length > 0 && names.every((name) => typeof name === "string")) return names.join(", ");
  const text =
    Array.isArray(value) && value.every((one) => typeof one === "string")
      ? value.join(", ")
      : typeof value === "string"
        ? value
        : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text || "empty";
}
