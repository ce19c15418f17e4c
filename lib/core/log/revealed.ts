/** A text that the log prints unmasked: a secret that a person must see. Never written to a log file. */
export class Revealed {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** Everything but the log's reporter gets the text without the secret. */
  toString(): string {
    return "[shown on standard error]";
  }
  toJSON(): string {
    return this.toString();
  }
}

export const revealed = (text: string): Revealed => new Revealed(text);
