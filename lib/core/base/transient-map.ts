/** Number of removals after which a new Map replaces a small one. */
const RENEW = 64;

/**
 * A Map whose entries are added and removed all the time, such as the calls under way.
 *
 * When V8's Map grows or compacts, the old table keeps a reference to the new one. Once such a table has been promoted,
 * the scavenger keeps all later tables alive, with the calls in them, until the next full collection; this cost a
 * tenth of a call. So a new Map replaces the old one early. An iteration sees the entries from when it began.
 */
export class TransientMap<K, V> {
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
