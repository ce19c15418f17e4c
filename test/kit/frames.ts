/** One frame of an event stream, taken apart. */
export interface Frame {
  id?: string;
  event?: string;
  retry?: string;
  comments: string[];
  // biome-ignore lint/suspicious/noExplicitAny: data of every shape is looked into
  data?: any;
}

/** Takes the text of an event stream apart, as a browser does, but keeps the comments. */
export function frames(text: string): Frame[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const frame: Frame = { comments: [] };
      for (const line of block.split("\n")) {
        const [, field = "", value = ""] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
        if (field === "") frame.comments.push(value);
        else if (field === "data") frame.data = JSON.parse(value);
        else frame[field as "id" | "event" | "retry"] = value;
      }
      return frame;
    });
}
