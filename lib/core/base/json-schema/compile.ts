import { isJsonObject, type JsonObject } from "../json-object.ts";
import type { Check, KeywordContext } from "./check.ts";
import { KEYWORDS } from "./keywords.ts";
import { createReferences, type SchemaResource } from "./references.ts";
import { type SchemaProblem, ValidationRun, ValidationUnfinished } from "./validation-run.ts";

/** The result of validating a value. */
export interface SchemaValidation {
  readonly problems: readonly SchemaProblem[];
  /**
   * Why a part of the value was not checked: the schema uses an unsupported feature, or the check would take too long.
   */
  readonly unchecked?: string | undefined;
}

/** The drafts in which all keywords beside `$ref` are ignored. */
const LONE_REF = /draft-0[3467]/;
const DRAFT_4 = /draft-0[34]/;

/**
 * Makes a validator of a JSON Schema (2020-12, 2019-09, draft 7 and older; 2020-12 unless `$schema` says otherwise).
 *
 * The schema is not trusted: no part of it is turned into code, nothing is fetched, `pattern` runs in linear time, and
 * the work of one validation is bounded. Each subschema is compiled when a value first reaches it, so the time to the
 * first result does not grow with the schema. `format` and the content keywords are annotations. Values are assumed
 * valid for unsupported keywords (`$dynamicRef`, most uses of `unevaluated…`, some patterns), which `unchecked` names.
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
    // OpenAPI 3.0, from which many tools are generated, allows null with a separate keyword.
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
  /** If the value fails this check, the remaining keywords are not checked. */
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
