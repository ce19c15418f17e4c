/** Views on the engine's memory. They are made anew when it has grown, since growing detaches the old ones. */
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

  /** The text at `at` that ends with a zero byte. */
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
