// biome-ignore lint/suspicious/noExplicitAny: messages of every shape
type Json = any;
export declare function createTasks(changed?: (task: Json) => void): {
  tools: Record<string, { description: string; run(progress: Json, params: Json): Json }>;
  extensions: Record<string, object>;
  answer(method: string, params: Json): Json;
};
