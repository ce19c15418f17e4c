/** A text that the log shows as it is: the one secret a person has to be told. Never goes into a log file. */
export class Revealed {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** Anything but the log's own reporter sees no secret. */
  toString(): string {
    return "[shown on standard error]";
  }
  toJSON(): string {
    return this.toString();
  }
}

export const revealed = (text: string): Revealed => new Revealed(text);
