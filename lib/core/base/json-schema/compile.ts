import { isJsonObject, type JsonObject } from "../json-object.ts";
import type { Check, KeywordContext } from "./check.ts";
import { KEYWORDS } from "./keywords.ts";
import { createReferences, type SchemaResource } from "./references.ts";
import { type SchemaProblem, ValidationRun, ValidationUnfinished } from "./validation-run.ts";

/** What became of a value. */
export interface SchemaValidation {
  readonly problems: readonly SchemaProblem[];
  /** Why a part was not checked: the schema uses what is not supported, or the work would have been too much. */
  readonly unchecked?: string | undefined;
}

/** Drafts in which everything beside `$ref` is ignored. */
const LONE_REF = /draft-0[3467]/;
const DRAFT_4 = /draft-0[34]/;

/**
 * Makes a validator of a JSON Schema (2020-12, 2019-09, draft 7 and older; 2020-12 unless `$schema` says otherwise).
 *
 * A schema may come from anywhere: nothing of it is turned into code, nothing is fetched, `pattern` runs in linear time,
 * and the work of one validation is bounded. Each part is compiled when a value first reaches it, so the time before the
 * first answer does not grow with the schema. `format` and contents are annotations. What is not supported
 * (`$dynamicRef`, most uses of `unevaluated…`, some patterns) is taken for valid and named in `unchecked`.
 */
export function compileSchema(document: unknown): (value: unknown) => SchemaValidation {
  const dialect = isJsonObject(document) && typeof document.$schema === "string" ? document.$schema : "";
  const loneRef = LONE_REF.test(dialect);
  const references = createReferences(document, { plainIds: DRAFT_4.test(dialect), loneRef });
  const compiled = new Map<object, Check>();

  const lazy = (schema: unknown, outer: SchemaResource): Check => {
    let check: Check | undefined;
    return (value, run) => {
      check ??= of(schema, outer);
      return check(value, run);
    };
  };

  const of = (schema: unknown, outer: SchemaResource): Check => {
    if (schema === false) return (_, run) => run.fail("false", "is not allowed", schema);
    if (!isJsonObject(schema)) return () => true;
    let check = compiled.get(schema);
    if (!check) {
      check = build(schema, references.within(schema, outer));
      compiled.set(schema, check);
    }
    return check;
  };

  const build = (schema: JsonObject, resource: SchemaResource): Check => {
    const compiling: KeywordContext = {
      schema,
      child: (part) => lazy(part, resource),
      reference(text) {
        const target = references.resolve(text, resource);
        return target && lazy(target.schema, target.resource);
      },
    };
    const checks: Part[] = [];
    for (const [keyword, make] of KEYWORDS) {
      if (!Object.hasOwn(schema, keyword)) continue;
      const check = make(schema[keyword], compiling);
      if (check) checks.push({ check, decides: keyword === "type" });
      if (keyword === "$ref" && loneRef) break;
    }
    const check = together(checks);
    // OpenAPI 3.0, from which many tools are made, says so beside the type.
    return schema.nullable === true ? (value, run) => value === null || check(value, run) : check;
  };

  const check = of(document, references.document);
  return (value) => {
    const run = new ValidationRun();
    try {
      check(value, run);
    } catch (error) {
      if (error instanceof ValidationUnfinished) return { problems: [], unchecked: error.message };
      if (error instanceof RangeError) return { problems: [], unchecked: "it is nested too deep" };
      throw error;
    }
    return { problems: run.problems, unchecked: run.reason };
  };
}

/** The check of one keyword. */
interface Part {
  readonly check: Check;
  /** Nothing more is said of a value that fails it. */
  readonly decides: boolean;
}

function together(parts: readonly Part[]): Check {
  if (parts.length === 0) return () => true;
  return (value, run) => {
    run.enter();
    let valid = true;
    for (const { check, decides } of parts) {
      if (check(value, run)) continue;
      valid = false;
      if (decides || run.quiet) break;
    }
    run.leave();
    return valid;
  };
}
