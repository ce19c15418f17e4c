/** Why a pin does not match. All four are reported as `hash_mismatch`, with different details. */
type PinFault = "format" | "unstored" | "version" | "different";

const PIN = /^sha256\/v(\d{1,9}):([0-9a-f]{64})$/;

/**
 * Compares the pin that a caller expects with the tool's current one, `sha256/v{N}:{hex}` (spec 000 §2.6).
 *
 * @param current the current pin; empty if none is stored for the tool
 * @returns undefined if they match; `version` if the proxy's hash formula changed, `different` if the tool changed
 */
export function pinFault(expected: string, current: string): PinFault | undefined {
  const [, version] = PIN.exec(expected) ?? [];
  if (version === undefined) return "format";
  const [, ownVersion] = PIN.exec(current) ?? [];
  if (ownVersion === undefined) return "unstored";
  if (version !== ownVersion) return "version";
  return expected === current ? undefined : "different";
}
