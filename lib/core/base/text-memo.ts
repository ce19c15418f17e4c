import { createHmac, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";

/** A shorter text is examined sooner than its hash is computed. (characters) */
const LEAST_CHARS = 1024;

/** Maximum number of texts; with results of at most 1 KB each they take about 1 MB. */
const MAX_TEXTS = 1000;

/**
 * Remembers what was found in texts, so that a text that occurs again need not be examined again. It keeps a hash of the
 * text with a key of its own, never the text, which may contain secrets.
 */
export class TextMemo<V extends {}> {
  private readonly key = randomBytes(32);
  private readonly found = new LRUCache<string, V>({ max: MAX_TEXTS });

  /**
   * Returns the result for a text, from memory if possible.
   *
   * @param isSmall whether a result may be remembered
   */
  of(text: string, examine: () => V, isSmall: (result: V) => boolean = () => true): V {
    if (text.length < LEAST_CHARS) return examine();
    const hash = createHmac("sha256", this.key).update(text).digest("base64");
    const known = this.found.get(hash);
    if (known !== undefined) return known;
    const result = examine();
    if (isSmall(result)) this.found.set(hash, result);
    return result;
  }
}
