import { type McpObject, RPC, RpcError } from "../../core/schema/mcp.ts";
import type { Notebook } from "./notebook.ts";

const ALL_NOTES = "notes://all";
const ONE_NOTE = /^notes:\/\/note\/(\d{1,9})$/;

const SUMMARISE = {
  name: "summarise_notes",
  title: "Summarise the notes",
  description: "Ask for a summary of the notebook, optionally about one topic.",
  arguments: [{ name: "topic", description: "What the summary is about", required: false }],
};

/** The prompt and the resources of the demo server, by MCP method: the notebook as text. */
export function demoItems(notebook: Notebook): Record<string, (params: McpObject) => McpObject> {
  return {
    "prompts/list": () => ({ prompts: [SUMMARISE] }),
    "prompts/get": (params) => {
      if (params.name !== SUMMARISE.name) throw invalid(`unknown prompt: ${String(params.name)}`);
      const topic = (params.arguments as McpObject | undefined)?.topic;
      const about = typeof topic === "string" && topic !== "" ? ` Keep to this topic: ${topic}.` : "";
      const text = `Summarise these notes in three sentences.${about}\n\n${notebook.text()}`;
      return { description: SUMMARISE.description, messages: [{ role: "user", content: { type: "text", text } }] };
    },
    "resources/list": () => ({
      resources: [{ uri: ALL_NOTES, name: "notes", title: "All notes", mimeType: "text/plain" }],
    }),
    "resources/templates/list": () => ({
      resourceTemplates: [
        { uriTemplate: "notes://note/{id}", name: "note", title: "One note", mimeType: "text/plain" },
      ],
    }),
    "resources/read": (params) => {
      const uri = String(params.uri);
      const id = ONE_NOTE.exec(uri)?.[1];
      const text = uri === ALL_NOTES ? notebook.text() : id === undefined ? undefined : notebook.text(Number(id));
      if (text === undefined) throw new RpcError({ code: RPC.resourceNotFound, message: `resource not found: ${uri}` });
      return { contents: [{ uri, mimeType: "text/plain", text }] };
    },
  };
}

const invalid = (message: string) => new RpcError({ code: RPC.invalidParams, message });
