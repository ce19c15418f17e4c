const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/**
 * JSON text with its escapes resolved: what an upstream spelt as `\u0041KIA…` reads as what it is, names stand before
 * their values, and numbers stay. It is no JSON any more.
 */
export function plainText(json: string): string {
  let at = json.indexOf("\\");
  if (at < 0) return json;
  let out = "";
  let from = 0;
  for (; at >= 0; at = json.indexOf("\\", from)) {
    const letter = json[at + 1] ?? "";
    out += json.slice(from, at);
    if (letter === "u") {
      const code = Number.parseInt(json.slice(at + 2, at + 6), 16);
      out += String.fromCharCode(code);
      from = at + 6;
    } else {
      out += LETTERS[letter] ?? letter;
      from = at + 2;
    }
  }
  return out + json.slice(from);
}

/** The place at or right before `at` where JSON text can be parted without parting an escape. */
export function partingPlace(json: string, at: number): number {
  for (let place = Math.max(0, at - 5); place < at; place++) {
    if (json[place] !== "\\" || !beginsEscape(json, place)) continue;
    if (place + (json[place + 1] === "u" ? 6 : 2) > at) return place;
  }
  return at;
}

/** Longest row of backslashes that is followed to its beginning; a longer one hides nothing but itself. */
const ROW = 64;

/** An even number of backslashes before one is made of escapes that are over. */
function beginsEscape(json: string, place: number): boolean {
  let before = place;
  while (before > Math.max(0, place - ROW) && json[before - 1] === "\\") before--;
  return (place - before) % 2 === 0;
}
