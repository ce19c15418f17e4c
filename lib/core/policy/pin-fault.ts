/** Why a pin does not match; all four are `hash_mismatch` with their own detail. */
type PinFault = "format" | "unstored" | "version" | "different";

const PIN = /^sha256\/v(\d{1,9}):([0-9a-f]{64})$/;

/**
 * Compares the pin a caller expects with the tool's own, `sha256/v{N}:{hex}` (spec 000 §2.6).
 *
 * @param own empty when no hash is stored for the tool
 * @returns undefined when they match; `version` when the proxy's hash formula changed, `different` when the tool changed
 */
export function pinFault(expected: string, own: string): PinFault | undefined {
  const [, version] = PIN.exec(expected) ?? [];
  if (version === undefined) return "format";
  const [, ownVersion] = PIN.exec(own) ?? [];
  if (ownVersion === undefined) return "unstored";
  if (version !== ownVersion) return "version";
  return expected === own ? undefined : "different";
}
