/** Replaces surrogates without their other half, which programs that read UTF-8 strictly reject. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}
