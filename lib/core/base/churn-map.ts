/** Fewest removals between two renewals. */
const RENEW = 64;

/**
 * A Map for what comes and goes all the time, such as calls under way.
 *
 * Each table that a Map of V8 outgrows or tidies up points to the next one. Once one of them is old, the collector of
 * young objects carries all later ones along, with the calls in them, until the next full collection; that came to a
 * tenth of a call. So a new Map is begun before the old one is old. An iteration sees what there was when it began.
 */
export class ChurnMap<K, V> {
  #map = new Map<K, V>();
  #removed = 0;

  get size(): number {
    return this.#map.size;
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  has(key: K): boolean {
    return this.#map.has(key);
  }

  set(key: K, value: V): void {
    this.#map.set(key, value);
  }

  delete(key: K): boolean {
    if (!this.#map.delete(key)) return false;
    this.#removed++;
    if (this.#removed > RENEW + this.#map.size) {
      this.#map = new Map(this.#map);
      this.#removed = 0;
    }
    return true;
  }

  clear(): void {
    this.#map = new Map();
    this.#removed = 0;
  }

  keys(): IterableIterator<K> {
    return this.#map.keys();
  }

  values(): IterableIterator<V> {
    return this.#map.values();
  }
}
