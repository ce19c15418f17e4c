/** Data that the program would otherwise compute after each start. The build computes it and embeds the bytes. */
import { gzipSync } from "node:zlib";
import { configFileSchema } from "#lib/core/api/openapi/config-schema.ts";
import { makeThesaurus } from "#lib/core/catalog/make-thesaurus.ts";
import { makeDatabase } from "#lib/core/store/make-database.ts";
import { KEYED } from "#lib/modules/detect/keyed.ts";
import { makePrefixTable } from "#lib/modules/detect/make-prefix-table.ts";
import { SHAPES } from "#lib/modules/detect/shapes.ts";
import { makeLexicon } from "#lib/modules/scan/rules/make-lexicon.ts";
// The schema contains the keys of all modules.
import "#lib/modules/config.gen.ts";

/** Compared length of a name or a shape; a longer one makes the tables larger and excludes little (characters). */
const HEAD = 8;

/** The bytes of each asset by its name. */
export async function tables(): Promise<Record<string, Uint8Array>> {
  const names = KEYED.map(({ name }) => name);
  const shapes = SHAPES.map(({ source }) => source);
  return {
    "config-schema.json.gz": gzipSync(
      `${JSON.stringify(configFileSchema(), null, 2)}
`,
      { level: 9 },
    ),
    "detect-name-ends.bin": bytesOf(makePrefixTable(names, { depth: HEAD, backwards: true, either: true })),
    "detect-shape-heads.bin": bytesOf(makePrefixTable(shapes, { depth: HEAD })),
    "new-database.db": await makeDatabase(),
    "scan-attack-words.bin": makeLexicon("attack"),
    "scan-words.bin": makeLexicon(),
    "synonyms.txt": new TextEncoder().encode(makeThesaurus()),
  };
}

const bytesOf = ({ buffer }: Uint16Array) => new Uint8Array(buffer);
