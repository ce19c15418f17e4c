import { Input, TextArea } from "../../parts/field.tsx";
import { Section } from "../../parts/page.tsx";

/** The inputs of a run, as typed. */
export interface Given {
  input: string;
  /** Timeout in seconds; empty for the configured one. */
  timeout: string;
  /** Maximum number of tool calls; empty for the configured one. */
  calls: string;
}

/** Parses the text as the script's input object, or returns the error. */
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

/** The fields of the inputs. */
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
