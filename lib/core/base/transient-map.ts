/** Number of removals after which a new Map replaces a small one. */
const RENEW = 64;
const NONE = new Map<never, never>();

/**
 * A Map for entries that are added and removed all the time, such as the calls under way.
 *
 * When V8's Map grows or compacts, the old table keeps a reference to the new one. Once such a table has been promoted
 * to the old generation, the scavenger keeps all later tables alive, with the calls in them, until the next full
 * collection. This took a tenth of the time of a call, so a new Map replaces the old one early. An iteration sees the
 * entries that existed when it began.
 */
export class TransientMap<K, V> {
  /** Absent while there is no entry: an empty Map takes 184 bytes, and each server has several. */
  #map: Map<K, V> | undefined;
  #removed = 0;

  get size(): number {
    return this.#map?.size ?? 0;
  }

  get(key: K): V | undefined {
    return this.#map?.get(key);
  }

  has(key: K): boolean {
    return this.#map?.has(key) ?? false;
  }

  set(key: K, value: V): void {
    this.#map ??= new Map();
    this.#map.set(key, value);
  }

  delete(key: K): boolean {
    const map = this.#map;
    if (!map?.delete(key)) return false;
    this.#removed++;
    if (map.size === 0) this.clear();
    else if (this.#removed > RENEW + map.size) {
      this.#map = new Map(map);
      this.#removed = 0;
    }
    return true;
  }

  clear(): void {
    this.#map = undefined;
    this.#removed = 0;
  }

  keys(): IterableIterator<K> {
    return (this.#map ?? NONE).keys();
  }

  values(): IterableIterator<V> {
    return (this.#map ?? NONE).values();
  }
}
