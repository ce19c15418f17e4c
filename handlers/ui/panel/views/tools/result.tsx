import { useState } from "preact/hooks";
import type { Data } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { laidOut, Visible } from "../../parts/diff.tsx";
import { bytes } from "../../parts/time.tsx";

export type Answered = Data<"POST /api/v1/tools/call">;
type Part = NonNullable<Answered["content"]>[number];

/** Image types without active content; SVG is excluded. */
const DRAWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Maximum length of rendered text; more would block the page (characters). */
const MAX_DRAWN_CHARACTERS = 200_000;

/** The result of a tool. Texts are never rendered as markup; active content is named, not shown. */
export function ToolResult({ result }: { result: Answered }) {
  const [raw, setRaw] = useState(false);
  const all = laidOut(JSON.stringify(result));
  const parts = result.content ?? [];
  // By convention, a structured result is repeated as text.
  const repeated = parts.length === 1 && result.structuredContent !== undefined && sameJson(parts[0], result);
  return (
    <div class="stack tight">
      {raw ? (
        <Text label="Result as JSON" text={all} />
      ) : (
        <>
          {!repeated && parts.map((part, i) => <Content key={i} part={part} />)}
          {result.structuredContent !== undefined && (
            <Text label="Structured result" text={laidOut(JSON.stringify(result.structuredContent))} />
          )}
          {parts.length === 0 && result.structuredContent === undefined && <p class="muted">The result is empty.</p>}
        </>
      )}
      <div class="row end">
        <Button small kind="bare" icon="code" pressed={raw} onClick={() => setRaw(!raw)}>
          {raw ? "Formatted" : "As JSON"}
        </Button>
        <Copy text={all} label="Copy result" />
      </div>
    </div>
  );
}

function Content({ part }: { part: Part }) {
  const { type, text, data, mimeType, uri, name, resource } = part as Part & Record<string, unknown>;
  if (type === "text" && typeof text === "string") return <Text label="Text" text={laidOut(text)} />;
  if (type === "image" && typeof data === "string" && typeof mimeType === "string" && DRAWN.has(mimeType))
    return <img class="result-image" src={`data:${mimeType};base64,${data}`} alt="Result of the tool" />;
  if (typeof data === "string")
    return (
      <p class="muted">
        {type}, {String(mimeType)}, {bytes((data.length * 3) / 4)}: not shown
      </p>
    );
  if (type === "resource_link")
    return (
      <p>
        Resource <code>{String(uri)}</code> {typeof name === "string" && <span class="muted">{name}</span>}
      </p>
    );
  const held = resource as { text?: unknown } | undefined;
  if (type === "resource" && typeof held?.text === "string") return <Text label="Resource" text={held.text} />;
  return <Text label={type} text={laidOut(JSON.stringify(part))} />;
}

function Text({ label, text }: { label: string; text: string }) {
  const cut = text.length > MAX_DRAWN_CHARACTERS;
  return (
    <>
      <pre class="block tall" tabIndex={0} role="group" aria-label={label}>
        <Visible text={cut ? text.slice(0, MAX_DRAWN_CHARACTERS) : text} />
      </pre>
      {cut && (
        <p class="hint">
          The first {MAX_DRAWN_CHARACTERS.toLocaleString("en")} characters are shown; Copy copies all of them.
        </p>
      )}
    </>
  );
}

function sameJson(part: Part | undefined, { structuredContent }: Answered): boolean {
  try {
    const text = (part as { text?: unknown }).text;
    return typeof text === "string" && JSON.stringify(JSON.parse(text)) === JSON.stringify(structuredContent);
  } catch {
    return false;
  }
}
