import { useState } from "preact/hooks";
import { Button } from "../../../parts/button.tsx";
import { SecretInput } from "../../../parts/field.tsx";
import type { Draft } from "./draft.ts";

/** Names with values that may be secret. */
export function Pairs(props: {
  masked: Readonly<Record<string, string>>;
  map: Draft["map"];
  name: string;
  onMap(map: Draft["map"]): void;
}) {
  const { masked, map, name, onMap } = props;
  const [fresh, setFresh] = useState("");
  const names = [...new Set([...Object.keys(masked), ...Object.keys(map)])].filter(
    (key) => map[key] !== undefined || key in masked,
  );
  const add = () => {
    onMap({ ...map, [fresh.trim()]: "" });
    setFresh("");
  };
  return (
    <div class="form">
      {names.length === 0 && <p class="muted">None.</p>}
      {names.map((key) =>
        map[key] === null ? (
          <div key={key} class="row between">
            <del>{key}</del>
            <Button small onClick={() => onMap({ ...map, [key]: undefined })}>
              Keep
            </Button>
          </div>
        ) : (
          <div key={key} class="pair">
            <SecretInput
              label={key}
              masked={masked[key] ?? ""}
              value={map[key] ?? undefined}
              onValue={(value) => onMap({ ...map, [key]: value })}
            />
            <Button
              small
              kind="bare"
              icon="trash"
              label={`Remove ${key}`}
              onClick={() => onMap({ ...map, [key]: key in masked ? null : undefined })}
            />
          </div>
        ),
      )}
      <div class="input-row">
        <input
          class="input mono"
          aria-label={`Name of a new ${name.toLowerCase()}`}
          placeholder={name === "Header" ? "X-Name" : "NAME"}
          value={fresh}
          onInput={(e) => setFresh(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key !== "Enter" || fresh.trim() === "") return;
            e.preventDefault();
            add();
          }}
        />
        <Button small icon="plus" blocked={fresh.trim() === "" && "Enter a name first."} onClick={add}>
          Add
        </Button>
      </div>
    </div>
  );
}
