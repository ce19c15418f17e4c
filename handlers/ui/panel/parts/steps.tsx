import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

export type StepState = "done" | "now" | "later";

interface StepProps {
  n: number;
  state: StepState;
  title: string;
  children: ComponentChildren;
}

/** One step of a task that is shown as a whole: `<ol class="steps">` contains the steps. */
export function Step({ n, state, title, children }: StepProps) {
  return (
    <li class={`step ${state}`} aria-current={state === "now" ? "step" : undefined}>
      <span class="step-mark">{state === "done" ? <Icon name="check" /> : n}</span>
      <div class="step-body">
        <h2>
          {title}
          {state === "done" && <span class="unsaid"> (done)</span>}
        </h2>
        {children}
      </div>
    </li>
  );
}
