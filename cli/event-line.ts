import type { ReceivedEvent } from "#lib/client/events.ts";
import { isJsonObject, type JsonObject } from "#lib/core/base/json-object.ts";
import { SERVER_NAME_MEMBERS } from "#lib/core/schema/event.ts";
import { plain } from "./table.ts";

/** The server an event names, if any. */
export function serverOf(event: ReceivedEvent): string | undefined {
  const payload = payloadOf(event);
  return SERVER_NAME_MEMBERS.map((member) => payload[member]).find((name) => typeof name === "string");
}

/**
 * Whether an event matches one of these types: the complete type or its prefix, also without `activity.`, so that
 * `tool_call` matches every event about calls.
 */
export function isOf({ event }: ReceivedEvent, types: readonly string[]): boolean {
  return types.some((type) =>
    [type, `activity.${type}`].some((kind) => event === kind || event.startsWith(`${kind}.`)),
  );
}

/** Formats an event as one line: time, type, object, outcome. */
export function eventLine(event: ReceivedEvent): string {
  const { at } = objectOf(event.data);
  const payload = payloadOf(event);
  const tool = payload.tool_name ?? payload.internal_tool_name;
  const about = [serverOf(event), tool].filter((part) => part !== undefined).join(":");
  const took = payload.duration_ms === undefined ? undefined : `${payload.duration_ms} ms`;
  const quarantine = payload.quarantined === undefined ? undefined : payload.quarantined ? "quarantined" : "released";
  const went = payload.status ?? payload.verdict ?? payload.action ?? quarantine;
  const found = payload.detection_types && `${payload.max_severity}: ${[payload.detection_types].flat().join(", ")}`;
  const how = [found, went, took, payload.error_message ?? payload.reason];
  const words = [at, event.event.replace(/^activity\./, ""), about, ...how].filter((word) => word !== undefined);
  return plain(words.filter((word) => word !== "").join("  ")).replace(/\s*\n\s*/g, " ");
}

function payloadOf(event: ReceivedEvent): JsonObject {
  return objectOf(objectOf(event.data).payload);
}

/** A JSON value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
