import type { Data } from "../api.ts";
import { laidOut, Visible } from "../parts/diff.tsx";
import { Hints } from "../views/tools/tool-labels.tsx";
import { Choices, type useChoice } from "./choices.tsx";

/** A tool with everything that an approval covers. */
export type Candidate = Data<"GET /api/v1/servers/{name}/tools">["tools"][number];

/** The tools that an approval would cover. */
export function ToolChoices({ choice }: { choice: ReturnType<typeof useChoice<Candidate>> }) {
  return (
    <Choices
      choice={choice}
      label="Tools to approve"
      plural="Tools"
      singular="this tool"
      tags={({ annotations }) => <Hints annotations={annotations} />}
      descriptionClass={({ scan }) => (scan && scan.findings.length > 0 ? "pre" : "pre clamp-3")}
      details={(tool) => <Definition tool={tool} />}
    />
  );
}

function Definition({ tool: { name, description, schema } }: { tool: Candidate }) {
  return (
    <details>
      <summary>Full definition</summary>
      <p class="pre">
        <Visible text={description} />
      </p>
      <pre class="block" tabIndex={0} role="group" aria-label={`Input schema of ${name}`}>
        <Visible text={laidOut(JSON.stringify(schema))} />
      </pre>
    </details>
  );
}
