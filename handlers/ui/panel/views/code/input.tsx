import { Input, TextArea } from "../../parts/field.tsx";
import { Section } from "../../parts/page.tsx";

/** What a run is given, each as it is typed. */
export interface Given {
  input: string;
  /** Seconds; empty: as configured. */
  timeout: string;
  /** Tool calls; empty: as configured. */
  calls: string;
}

/** The text as the object that a script is given, or what is wrong with it. */
export function objectOf(text: string): { value: unknown } | { wrong: string } {
  if (text.trim() === "") return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    const fits = typeof value === "object" && value !== null && !Array.isArray(value);
    return fits ? { value } : { wrong: "it must be an object" };
  } catch {
    return { wrong: "not valid JSON" };
  }
}

/** Fields for what a run is given. */
export function InputForm(props: { given: Given; wrong: string | undefined; onGiven(given: Given): void }) {
  const { given, wrong, onGiven } = props;
  return (
    <Section title="Input">
      <div class="stack">
        <TextArea
          label="Global variable input, a JSON object"
          mono
          rows={5}
          value={given.input}
          onValue={(input) => onGiven({ ...given, input })}
          error={wrong}
        />
        <div class="form two">
          <Input
            label="Timeout (seconds)"
            type="number"
            min={1}
            max={600}
            placeholder="as configured"
            value={given.timeout}
            onValue={(timeout) => onGiven({ ...given, timeout })}
          />
          <Input
            label="Max tool calls"
            type="number"
            min={0}
            placeholder="as configured"
            value={given.calls}
            onValue={(calls) => onGiven({ ...given, calls })}
          />
        </div>
      </div>
    </Section>
  );
}
