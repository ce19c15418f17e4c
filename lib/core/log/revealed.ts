/** A text that the log prints unmasked: a secret that a person must see. It is never written to a log file. */
export class Revealed {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** Returns a text without the secret, for all code except the log's reporter. */
  toString(): string {
    return "[shown on standard error]";
  }
  toJSON(): string {
    return this.toString();
  }
}

export const revealed = (text: string): Revealed => new Revealed(text);
