import { Fault } from "../base/fault.ts";
import { type CallIntent, SENSITIVITIES } from "../schema/call-intent.ts";
import type { Permission, Scope } from "../schema/caller.ts";
import type { ToolAnnotations } from "../schema/mcp.ts";
import type { CallVariant } from "../schema/tool.ts";
import { missingPermissions, OPERATION_OF, permissionsFor } from "./permissions.ts";

type Sensitivity = (typeof SENSITIVITIES)[number];

/** An intent as the client sent it, before it is checked. */
type UncheckedIntent = { readonly [member in keyof CallIntent]?: unknown };

/** Maximum length of `reason`, in characters. */
const MAX_REASON_CHARS = 1000;

const VARIANT_OF: Readonly<Record<Permission, CallVariant>> = {
  read: "call_tool_read",
  write: "call_tool_write",
  destructive: "call_tool_destructive",
};

/**
 * Returns the call variant for a tool; search results contain it as `call_with`. This is normally the variant that fits
 * the tool's annotations. If the caller lacks the permission of that variant, it is the variant of the permission that
 * the tool itself requires, so that the call succeeds.
 */
export function callVariantFor(annotations: ToolAnnotations | undefined, scope: Scope): CallVariant {
  const fitting = fittingVariant(annotations);
  if (missingPermissions(scope, annotations, fitting).length === 0) return fitting;
  return VARIANT_OF[permissionsFor(annotations)[0]!];
}

function fittingVariant(annotations: ToolAnnotations | undefined): CallVariant {
  if (annotations?.destructiveHint === true) return "call_tool_destructive";
  return annotations?.readOnlyHint === false ? "call_tool_write" : "call_tool_read";
}

/**
 * Reads the intent from the input of a call variant and checks it against the variant.
 *
 * The variant already states the operation, so a call may omit the intent. If there is an `intent` object, it must
 * contain `operation_type` (spec 001 §2.2). Clients may also send the flat form: `intent_operation_type`,
 * `intent_data_sensitivity`, `intent_reason`.
 *
 * @throws Fault intent_invalid; its text shows the expected form
 */
export function readIntent(variant: CallVariant, input: Readonly<Record<string, unknown>>): CallIntent {
  const operation = OPERATION_OF[variant];
  const flat = flatIntent(input);
  const object = objectIntent(input.intent, variant);
  const given: UncheckedIntent = { ...(!object && { operation_type: operation }), ...flat, ...object };
  const { operation_type, data_sensitivity, reason } = given;
  checkOperation(variant, operation_type);
  if (data_sensitivity !== undefined && !isSensitivity(data_sensitivity))
    throw invalid(`intent.data_sensitivity must be one of ${SENSITIVITIES.join(", ")}, in lower case`);
  if (reason !== undefined && typeof reason !== "string") throw invalid("intent.reason must be a string");
  if (reason !== undefined && characters(reason) > MAX_REASON_CHARS)
    throw invalid(`intent.reason must have at most ${MAX_REASON_CHARS} characters`);
  return {
    operation_type: operation,
    ...(data_sensitivity !== undefined && { data_sensitivity }),
    ...(reason !== undefined && { reason }),
  };
}

/**
 * Rejects the call of a tool that its server marks destructive through the read or write variant (spec 001 §4.1).
 *
 * @param strict `intent_declaration.strict_server_validation`; if false, such calls are allowed
 * @throws Fault destructive_mismatch
 */
export function checkVariant(
  id: string,
  variant: CallVariant,
  annotations: ToolAnnotations | undefined,
  strict: boolean,
): void {
  if (strict && variant !== "call_tool_destructive" && annotations?.destructiveHint === true)
    throw new Fault("destructive_mismatch", { id, variant });
}

function flatIntent(input: Readonly<Record<string, unknown>>): UncheckedIntent | undefined {
  const said = Object.entries({
    operation_type: input.intent_operation_type,
    data_sensitivity: input.intent_data_sensitivity,
    reason: input.intent_reason,
  }).filter(([, value]) => value !== undefined && value !== null);
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

function objectIntent(intent: unknown, variant: CallVariant): UncheckedIntent | undefined {
  // Some clients send null for members that they omit.
  if (intent === undefined || intent === null) return undefined;
  if (typeof intent !== "object" || Array.isArray(intent))
    throw invalid(`intent must be an object; send ${shape(OPERATION_OF[variant])}`);
  return Object.fromEntries(Object.entries(intent).filter(([, value]) => value !== null));
}

function checkOperation(variant: CallVariant, said: unknown): void {
  const operation = OPERATION_OF[variant];
  if (said === operation) return;
  if (said === undefined) throw invalid(`intent.operation_type is required; send ${shape(operation)}`);
  const fitting = (Object.keys(OPERATION_OF) as CallVariant[]).find((v) => OPERATION_OF[v] === said);
  if (!fitting) throw invalid(`intent.operation_type of ${variant} must be "${operation}"; send ${shape(operation)}`);
  throw invalid(
    `intent.operation_type "${said}" does not match ${variant}; call ${fitting}, or send ${shape(operation)}`,
  );
}

function shape(operation: Permission): string {
  return `"intent": {"operation_type": "${operation}"}`;
}

function isSensitivity(value: unknown): value is Sensitivity {
  return (SENSITIVITIES as readonly unknown[]).includes(value);
}

/** Counts the characters of a text; a surrogate pair counts as one. */
function characters(text: string): number {
  let n = 0;
  for (const _ of text) n++;
  return n;
}

function invalid(reason: string): Fault {
  return new Fault("intent_invalid", { reason });
}
