import type { ScannedText } from "../../../core/schema/rule-finding.ts";
import type { ToolDefinition } from "../../../core/schema/tool.ts";

/** Maximum number of characters and of texts of one tool that are read; beyond it the scan is incomplete. */
const MAX_CHARS = 256 * 1024;
const MAX_PARTS = 10_000;

/** Members of a schema whose texts are data rather than descriptions. */
const VALUES = new Set(["default", "enum", "const", "examples", "example", "pattern", "format", "$ref", "required"]);
/** Members whose keys are chosen names. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** The URL of the JSON Schema dialect, which nearly every schema contains. */
const DIALECT = /^https?:\/\/json-schema\.org\/[\w./-]+#?$/;

/** An image in a data URL: pixels, and no text that a model reads. */
const IMAGE = /^data:image\/(?!svg)[\w.+-]+;base64,/i;

/**
 * Collects every text of a tool that a model may read, including keys. It does not recurse, because the upstream server
 * chooses the depth.
 *
 * @returns `complete` is false if the limits were exceeded
 */
export function partsOf(tool: ToolDefinition): { parts: ScannedText[]; complete: boolean } {
  const parts: ScannedText[] = [{ location: "name", text: tool.name, kind: "name" }];
  let room = MAX_CHARS - tool.name.length;
  const open: { value: unknown; location: string; kind: ScannedText["kind"]; named: boolean }[] = [
    { value: tool._meta, location: "_meta", kind: "prose", named: false },
    {
      value: tool.icons?.map(({ src, ...said }) => ({ src: IMAGE.test(src) ? "" : src, ...said })),
      location: "icons",
      kind: "value",
      named: false,
    },
    { value: tool.annotations, location: "annotations", kind: "prose", named: false },
    { value: tool.outputSchema, location: "outputSchema", kind: "prose", named: false },
    { value: tool.inputSchema, location: "inputSchema", kind: "prose", named: false },
    { value: tool.description, location: "description", kind: "prose", named: false },
    { value: tool.title, location: "title", kind: "prose", named: false },
  ];
  const take = (location: string, text: string, kind: ScannedText["kind"]) => {
    if (text === "" || DIALECT.test(text)) return;
    parts.push({ location, text: text.length > room ? text.slice(0, Math.max(0, room)) : text, kind });
    room -= text.length;
  };
  while (open.length > 0 && room >= 0 && parts.length < MAX_PARTS) {
    const { value, location, kind, named } = open.pop()!;
    if (typeof value === "string") take(location, value, kind);
    else if (Array.isArray(value)) {
      for (let i = Math.min(value.length, MAX_PARTS) - 1; i >= 0; i--)
        open.push({ value: value[i], location: `${location}[${i}]`, kind, named: false });
    } else if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value).slice(0, MAX_PARTS).reverse();
      for (const [key, member] of entries) {
        const at = location.length < 200 ? `${location}.${key.slice(0, 60)}` : location;
        const data = kind === "value" || (!named && VALUES.has(key));
        open.push({ value: member, location: at, kind: data ? "value" : "prose", named: !named && NAMED.has(key) });
        // A chosen key is examined as a name, and a key that no schema defines as text.
        if (named) take(`${at} (name)`, key, "name");
        else if (!/^[$\w-]{1,40}$/.test(key)) take(`${at} (key)`, key, "prose");
      }
    }
  }
  return { parts, complete: open.length === 0 && room >= 0 };
}
