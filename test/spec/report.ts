import { allCitations } from "./citations.ts";
import { requirements } from "./requirements.ts";

/** `npm run spec`: which promises of the specification no test cites yet, by section. */
const found = allCitations("test");
const cited = new Set(found.ids.map((c) => c.cites));
const titles = new Map<string, number>();
for (const { cites } of found.sections) titles.set(cites, (titles.get(cites) ?? 0) + 1);

const sections = [...new Set(requirements.map((r) => r.section))];
for (const section of sections) {
  const rows = requirements.filter((r) => r.section === section);
  const open = rows.filter((r) => !cited.has(r.id));
  const byTitle = titles.get(section) ?? 0;
  const note = byTitle ? `, ${byTitle} test${byTitle === 1 ? "" : "s"} by title` : "";
  console.log(`${section}: ${rows.length - open.length} of ${rows.length} cited${note}`);
  for (const r of open) console.log(`  ${r.id}  ${r.text}`);
}
const open = requirements.filter((r) => !cited.has(r.id)).length;
const silent = sections.filter((s) => !titles.has(s) && !requirements.some((r) => r.section === s && cited.has(r.id)));
console.log(`\n${requirements.length} requirements: ${requirements.length - open} cited by id, ${open} not.`);
console.log(`${silent.length} of ${sections.length} sections are cited by no test at all.`);
