import type { SchemaStep } from "./schema-step.ts";

/**
 * Returns why a step is unsafe while two releases use the database; undefined if it is safe. An expanding step may only
 * hold statements that are known to add: new tables with their indexes, columns that may stay empty or have a constant
 * default, and rows that are inserted unless they exist.
 *
 * @param number the number of the step, from 1
 */
export function lintStep(step: SchemaStep, number: number): string | undefined {
  if (step.kind === "index")
    return /^\w+$/.test(step.name) && /^\w+ (?:using \w+ )?\([^;]+\)$/.test(step.on)
      ? undefined
      : "an index has a name, and a table with columns";
  if (step.kind === "contract")
    return Number.isInteger(step.needs) && step.needs >= 1 && step.needs <= number
      ? undefined
      : `needs must be from 1 to ${number}`;
  return lintExpansion(step.sql);
}

function lintExpansion(sql: string): string | undefined {
  if (sql.includes("$$")) return "a function body cannot be checked";
  const plain = sql
    .replace(/--.*$/gm, "")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .replace(/\s+/g, " ");
  const statements = plain.split(";").flatMap((part) => part.trim() || []);
  const added = new Set(statements.flatMap((text) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? []));
  for (const statement of statements) {
    const problem = lintStatement(statement, added);
    if (problem) return `${problem}: ${statement.slice(0, 80)}`;
  }
  return undefined;
}

function lintStatement(text: string, added: ReadonlySet<string>): string | undefined {
  if (/^create table /.test(text)) return undefined;
  const indexed = /^create (?:unique )?index (?:if not exists )?\w+ on (\w+)/.exec(text)?.[1];
  if (indexed !== undefined)
    return added.has(indexed) ? undefined : "an index of a table with rows stops writes; use a step of the kind index";
  if (/^insert into .* on conflict do nothing$/.test(text)) return undefined;
  const [, table = "", clauses] = /^alter table (\w+) (.+)$/.exec(text) ?? [];
  if (clauses === undefined) return "the statement is not known to add only";
  if (added.has(table)) return undefined;
  return splitClauses(clauses).map(lintClause).find(Boolean);
}

function lintClause(clause: string): string | undefined {
  if (!/^add column /.test(clause)) return "the statement is not known to add only";
  const [definition = "", value] = clause.split(/ default /);
  if (/ not null/.test(clause) && value === undefined) return "the release before cannot fill the column";
  if (/\b(?:unique|primary key|references|check|generated)\b/.test(clause))
    return "a constraint is checked for all rows while nobody can write";
  if (value !== undefined && /\(/.test(value)) return "a default that is computed rewrites the table";
  return definition.split(" ").length >= 4 ? undefined : "a column has a name and a type";
}

/** Splits at commas outside parentheses. */
function splitClauses(text: string): string[] {
  const clauses: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    else if (text[at] === "," && depth === 0) {
      clauses.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...clauses, text.slice(from).trim()];
}
