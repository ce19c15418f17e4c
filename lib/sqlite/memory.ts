/**
 * Views of the engine's memory. When the memory has grown, they are made anew, because growing detaches the old ones.
 */
export class Memory {
  readonly #current: () => ArrayBuffer;
  #buffer: ArrayBuffer | undefined;
  #bytes!: Buffer;
  #view!: DataView;

  constructor(current: () => ArrayBuffer) {
    this.#current = current;
  }

  get bytes(): Buffer {
    this.#refresh();
    return this.#bytes;
  }

  get view(): DataView {
    this.#refresh();
    return this.#view;
  }

  /** Returns the text at an address, which ends with a zero byte. */
  text(at: number): string {
    const { bytes } = this;
    return bytes.toString("utf8", at, bytes.indexOf(0, at));
  }

  #refresh() {
    const buffer = this.#current();
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.#bytes = Buffer.from(buffer);
    this.#view = new DataView(buffer);
  }
}
