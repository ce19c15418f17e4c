import { useState } from "preact/hooks";
import { type Args, call, reasonOf } from "../../api.ts";
import { fresh } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Input, Select, TextArea } from "../../parts/field.tsx";
import { toast } from "../../parts/toast.tsx";
import { at, go } from "../../route.ts";
import type { AddProps } from "./add.tsx";
import { pairs, words } from "./command-line-text.ts";

/** Adds a server by command (local) or by URL (remote). */
export function ByHand({ how, onClose, to }: AddProps & { how: "command" | "address" }) {
  const [name, setName] = useState("");
  const [command, setCommand] = useState("");
  const [folder, setFolder] = useState("");
  const [url, setUrl] = useState("");
  const [protocol, setProtocol] = useState("auto");
  const [more, setMore] = useState("");
  const [wrong, setWrong] = useState<string>();
  const add = async () => {
    setWrong(undefined);
    try {
      const [program = "", ...args] = words(command);
      const body: Args<"POST /api/v1/servers">["body"] =
        how === "command"
          ? { name, command: program, args, env: pairs(more, "="), ...(folder && { working_dir: folder }) }
          : { name, url, protocol, headers: pairs(more, ":") };
      await call("POST /api/v1/servers", { body });
      toast(`${name} is added, in quarantine until you release it`);
      await fresh("GET /api/v1/servers", {});
      onClose();
      await go(to ?? at("servers", name));
    } catch (error) {
      setWrong(reasonOf(error));
    }
  };
  const needed = [
    name.trim() === "" && "a name",
    how === "command" && command.trim() === "" && "a command",
    how === "address" && url.trim() === "" && "an address",
  ].filter((part) => part !== false);
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (needed.length === 0) void add();
      }}
    >
      <Input
        label="Name"
        hint="Short and unique; the first part of its tool ids, as in files:read."
        value={name}
        onValue={setName}
        autocomplete="off"
      />
      {how === "command" ? (
        <>
          <Input
            label="Command"
            mono
            placeholder="npx -y @modelcontextprotocol/server-filesystem /home/me/notes"
            value={command}
            onValue={setCommand}
            autocomplete="off"
          />
          <Input label="Working directory (optional)" mono value={folder} onValue={setFolder} autocomplete="off" />
        </>
      ) : (
        <>
          <Input
            label="Address"
            mono
            type="url"
            placeholder="https://example.com/mcp"
            value={url}
            onValue={setUrl}
            autocomplete="off"
          />
          <Select
            label="Protocol"
            value={protocol}
            options={[
              ["auto", "find out"],
              ["streamable-http", "streamable HTTP"],
              ["sse", "SSE (older servers)"],
            ]}
            onValue={setProtocol}
          />
        </>
      )}
      <TextArea
        label={how === "command" ? "Environment (optional)" : "Headers (optional)"}
        hint={
          how === "command"
            ? "One per line: NAME=value. ${keyring:NAME} and ${env:NAME} are resolved when the server starts."
            : "One per line: Name: value. ${keyring:NAME} and ${env:NAME} are resolved at each connection."
        }
        mono
        rows={3}
        value={more}
        onValue={setMore}
      />
      {wrong && (
        <p class="error" role="alert">
          {wrong}
        </p>
      )}
      <div class="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="main" type="submit" blocked={needed.length > 0 && `Required: ${needed.join(" and ")}`}>
          Add server
        </Button>
      </div>
    </form>
  );
}
