import { useState } from "preact/hooks";
import { useLive } from "../../../live.ts";
import { Button } from "../../../parts/button.tsx";
import { Input, Select } from "../../../parts/field.tsx";
import { type Schema, SchemaForm } from "../../../parts/form.tsx";
import type { Server } from "../../../parts/health.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { Section } from "../../../parts/page.tsx";
import { line, words } from "../command-line-text.ts";
import {
  type Folder,
  generalOf,
  HOW,
  type How,
  howOf,
  type Isolation,
  type Place,
  placed,
  readFlags,
  withMember,
  writeFlags,
} from "./isolation.ts";

const PLACES: Record<Place, readonly [name: string, about: string]> = {
  docker: [
    "in a container",
    "The server has its own file system with a persistent home directory. It can access only the folders of this machine that you list.",
  ],
  sandbox: [
    "in the light sandbox",
    "The server runs on this machine, but the system is read-only, and home directories, other disks and other programs are hidden.",
  ],
  none: ["without isolation", "The server runs with all your rights: it can read your files and use your network."],
};

/** Members with a specific field; the others of the schema follow below. */
const OWN = "enabled_override enabled mode image network_mode memory_limit cpu_limit working_dir extra_args".split(" ");

/** The settings that apply where the server has none of its own. */
type Defaults = NonNullable<Server["isolation_defaults"]>;

interface Props {
  value: Isolation;
  onValue(value: Isolation): void;
}

/** The isolation of a local server and its permitted resources. */
export function IsolationForm({ value, defaults, onValue }: Props & { defaults: Defaults }) {
  const otherwise = generalOf(defaults);
  const how = howOf(value);
  const place = how === "general" ? otherwise : how;
  const set = (name: string) => (to: unknown) => onValue(withMember(value, name, to));
  const text = (name: string) => (typeof value[name] === "string" ? value[name] : "");
  const names: Record<How, string> = {
    general: `Default (${PLACES[otherwise][0]})`,
    docker: "In a container",
    sandbox: "In the light sandbox",
    none: "Without isolation",
  };
  return (
    <Section title="Isolation">
      <div class="form">
        <Select
          label="Isolation"
          hint={PLACES[place][1]}
          value={how}
          options={HOW.map((one) => [one, names[one]] as const)}
          onValue={(to) => onValue(placed(value, to))}
        />
        {place === "docker" && <Engine />}
        {place !== "none" && (
          <>
            <Network place={place} general={defaults.network_mode} value={value} onValue={onValue} />
            <div class="form two">
              <Input
                label="Memory limit"
                hint="such as 512m or 2g"
                placeholder={defaults.memory_limit}
                value={text("memory_limit")}
                onValue={set("memory_limit")}
              />
              <Input
                label="Processors"
                hint="such as 0.5 or 2"
                placeholder={defaults.cpu_limit}
                value={text("cpu_limit")}
                onValue={set("cpu_limit")}
              />
            </div>
          </>
        )}
        {place === "docker" && (
          <>
            <div class="form two">
              <Input
                label="Image"
                hint="Empty: chosen from the command."
                mono
                placeholder={defaults.image}
                value={text("image")}
                onValue={set("image")}
              />
              <Input
                label="Working directory"
                hint="A folder inside the container."
                mono
                placeholder="its home"
                value={text("working_dir")}
                onValue={set("working_dir")}
              />
            </div>
            <Flags flags={(value.extra_args as string[] | undefined) ?? []} onFlags={set("extra_args")} />
          </>
        )}
        {place !== "none" && <Others value={value} onValue={onValue} />}
      </div>
    </Section>
  );
}

/** Whether a container engine is available. */
function Engine() {
  const { data } = useLive("GET /api/v1/container/status", {});
  if (!data || data.container_available) return null;
  return (
    <p class="notice warn">
      <Icon name="warn" />
      <span class="grow">
        No container engine is available. Start Docker, Podman or Colima; until then the proxy handles the server as set
        by <code>docker_isolation.fallback</code>.
      </span>
    </p>
  );
}

const KNOWN = ["bridge", "none", "host"];

function Network({ place, general, value, onValue }: Props & { place: Place; general: string }) {
  const now = typeof value.network_mode === "string" ? value.network_mode : "";
  const [named, setNamed] = useState(now !== "" && !KNOWN.includes(now));
  const set = (to: string) => onValue(withMember(value, "network_mode", to));
  const sandbox = place === "sandbox";
  const otherwise = sandbox ? (general === "host" ? "host" : "none") : general;
  const options = [
    ["", `Default (${otherwise})`],
    ...(sandbox ? [] : [["bridge", "The internet, but not this machine (bridge)"] as const]),
    ["none", "None"],
    ["host", "The network of this machine (host)"],
    ...(sandbox ? [] : [["other", "A network of the container engine, by name"] as const]),
  ] as const;
  return (
    <>
      <Select
        label="Network"
        hint={
          sandbox
            ? "npx and uvx need one to fetch a package for the first time."
            : "A server that contacts no service does not need a network."
        }
        value={named ? "other" : now}
        options={options}
        onValue={(to) => {
          setNamed(to === "other");
          set(to === "other" ? "" : to);
        }}
      />
      {named && !sandbox && <Input label="Network name" mono value={now} onValue={set} />}
    </>
  );
}

/** Shared folders and other engine flags. Incomplete input is kept here until it is valid. */
function Flags({ flags, onFlags }: { flags: readonly string[]; onFlags(flags: string[]): void }) {
  const [{ folders, rest }, setParts] = useState(() => {
    const read = readFlags(flags);
    return { folders: read.folders, rest: line(read.rest) };
  });
  const set = (part: { folders?: readonly Folder[]; rest?: string }) => {
    const next = { folders: [...(part.folders ?? folders)], rest: part.rest ?? rest };
    setParts(next);
    onFlags(writeFlags(next.folders, words(next.rest)));
  };
  const change = (i: number, part: Partial<Folder>) =>
    set({ folders: folders.map((f, n) => (n === i ? { ...f, ...part } : f)) });
  return (
    <>
      <fieldset class="stack tight">
        <legend class="label">Accessible folders of this machine</legend>
        {folders.map((folder, i) => (
          <div key={i} class="input-row folder">
            <input
              class="input mono"
              aria-label={`Folder ${i + 1} on this machine`}
              placeholder="/home/me/notes"
              value={folder.here}
              onInput={(e) => change(i, { here: e.currentTarget.value })}
            />
            <input
              class="input mono"
              aria-label={`Path of folder ${i + 1} in the container`}
              placeholder={folder.here || "the same path inside"}
              value={folder.inside}
              onInput={(e) => change(i, { inside: e.currentTarget.value })}
            />
            <select
              class="input"
              aria-label={`Access to folder ${i + 1}`}
              value={folder.write ? "write" : "read"}
              onChange={(e) => change(i, { write: e.currentTarget.value === "write" })}
            >
              <option value="read">Read only</option>
              <option value="write">Read and write</option>
            </select>
            <Button
              small
              kind="bare"
              icon="trash"
              label={`Remove folder ${i + 1}`}
              onClick={() => set({ folders: folders.filter((_, n) => n !== i) })}
            />
          </div>
        ))}
        <div class="row between">
          <Button
            small
            icon="plus"
            onClick={() => set({ folders: [...folders, { here: "", inside: "", write: false }] })}
          >
            Add folder
          </Button>
          {folders.length === 0 && <span class="hint">Only its working directory.</span>}
        </div>
      </fieldset>
      <Input
        label="Additional flags"
        hint="Flags of docker run that do not weaken the isolation. Quote values with spaces."
        mono
        placeholder="--add-host db:10.0.0.5"
        value={rest}
        onValue={(next) => set({ rest: next })}
      />
    </>
  );
}

/** Members of the schema without a field above. */
function Others({ value, onValue }: Props) {
  const { data } = useLive("GET /api/v1/config/schema", {});
  const known =
    (data?.schema as Schema | undefined)?.properties?.mcpServers?.items?.properties?.isolation?.properties ?? {};
  const properties = Object.fromEntries(Object.entries(known).filter(([name]) => !OWN.includes(name)));
  if (Object.keys(properties).length === 0) return null;
  const ours = Object.fromEntries(Object.entries(value).filter(([name]) => name in properties));
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !(name in properties)));
  return (
    <SchemaForm
      schema={{ type: "object", properties }}
      values={ours}
      onValues={(others) => onValue({ ...rest, ...others })}
    />
  );
}
