import type { Data } from "../api.ts";
import { Tag } from "../parts/badge.tsx";
import { Visible } from "../parts/diff.tsx";
import { Choices, type useChoice } from "./choices.tsx";

/** A prompt, resource or resource template. */
export type Item = Data<"GET /api/v1/prompts">["items"][number];

export const KINDS = { prompt: "Prompt", resource: "Resource", template: "Template" } as const;

/** The kind is part of the key because a prompt and a resource may have the same name. */
export const itemKey = ({ kind, server_name, name }: Item) => `${kind} ${server_name}:${name}`;

/** The prompts, resources and templates that an approval would cover. */
export function ItemChoices({ choice }: { choice: ReturnType<typeof useChoice<Item>> }) {
  return (
    <Choices
      choice={choice}
      label="Prompts and resources to approve"
      plural="Prompts and resources"
      singular="it"
      tags={({ kind }) => <Tag>{KINDS[kind].toLowerCase()}</Tag>}
      descriptionClass={() => "pre"}
      details={(item) => <Arguments item={item} />}
    />
  );
}

/** The arguments of a prompt, which an approval covers too. */
function Arguments({ item: { arguments: args = [] } }: { item: Item }) {
  if (args.length === 0) return null;
  return (
    <details>
      <summary>Arguments</summary>
      <ul class="prose">
        {args.map((arg) => (
          <li key={arg.name}>
            <code>
              <Visible text={arg.name} />
            </code>
            {arg.required && " (required)"} {arg.description && <Visible text={arg.description} />}
          </li>
        ))}
      </ul>
    </details>
  );
}
