// biome-ignore lint/suspicious/noExplicitAny: entries of every shape
type Entry = any;
export declare const LISTED: Record<"tools" | "prompts" | "resources" | "resourceTemplates", Entry[]>;
export declare const BOARD: Entry;
