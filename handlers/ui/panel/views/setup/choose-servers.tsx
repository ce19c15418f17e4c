import { useState } from "preact/hooks";
import { importRequests } from "#lib/client/setup/import-requests.ts";
import { surveyRemarks } from "#lib/client/setup/survey-remarks.ts";
import { call, reasonOf } from "../../api.ts";
import { fresh } from "../../live.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Visible } from "../../parts/diff.tsx";
import { Switch } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { listed, plural } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { commandLine } from "../../trust/launch.tsx";
import { clientNames, type Survey, type SurveyRow } from "./survey.ts";

/** The servers of the clients, each once; the chosen ones are imported into quarantine. */
export function ChooseServers(props: { survey: Survey; isDone: boolean; onImported(): Promise<void> }) {
  const { survey, isDone, onImported } = props;
  const open = survey.servers.filter(({ configured }) => !configured);
  const known = survey.servers.filter(({ configured }) => configured);
  const [left, setLeft] = useState<ReadonlySet<string>>(() => new Set(open.filter(isBroken).map(({ name }) => name)));
  const [moveSecrets, setMoveSecrets] = useState(true);
  const chosen = open.filter(({ name }) => !left.has(name));
  const secretCount = open.reduce((sum, { secrets }) => sum + secrets.length, 0);
  const toggle = (name: string) => {
    const next = new Set(left);
    if (!next.delete(name)) next.add(name);
    setLeft(next);
  };
  const run = async () => {
    await importAll(survey, chosen, !moveSecrets);
    await onImported();
  };
  return (
    <>
      <Unread survey={survey} />
      {known.length > 0 && (
        <p class="muted">
          {listed(known.map(({ name }) => name))} {known.length === 1 ? "is" : "are"} already in the proxy.
        </p>
      )}
      {open.length > 0 && (
        <>
          <ul class="choices tools" aria-label="Servers of your clients">
            {open.map((row) => (
              <Row
                key={row.name}
                row={row}
                clients={clientNames(survey, row)}
                isChosen={!left.has(row.name)}
                onToggle={() => toggle(row.name)}
              />
            ))}
          </ul>
          {secretCount > 0 && (
            <Switch
              label="Move secrets out of plain text"
              hint={`${plural(secretCount, "value looks", "values look")} like a secret. The proxy stores each in the system keyring, or in an encrypted file if there is no keyring; its configuration then contains references.`}
              checked={moveSecrets}
              onChange={setMoveSecrets}
            />
          )}
          <div class="row">
            <Button
              kind={isDone ? "plain" : "main"}
              icon="download"
              blocked={chosen.length === 0 && "Select a server first."}
              onClick={run}
            >
              {chosen.length === 0 ? "Import" : `Import ${plural(chosen.length, "server")}`}
            </Button>
            <span class="hint">
              They start for review; no client can use them yet. The clients' files stay as they are.
            </span>
          </div>
        </>
      )}
    </>
  );
}

const isBroken = ({ problem }: SurveyRow) => problem !== undefined;

function Row(props: { row: SurveyRow; clients: readonly string[]; isChosen: boolean; onToggle(): void }) {
  const { row, clients, isChosen, onToggle } = props;
  const { name, command, args = [], url, secrets, problem } = row;
  return (
    <li>
      <label>
        <input type="checkbox" checked={isChosen} onChange={onToggle} />
        <span class="name">
          <Visible text={name} />
        </span>
        {clients.map((client) => (
          <Tag key={client}>{client}</Tag>
        ))}
        {problem !== undefined && <Badge tone="bad">Broken</Badge>}
        {secrets.length > 0 && <Badge tone="warn">{plural(secrets.length, "secret")} in plain text</Badge>}
      </label>
      <code class="block-code muted">
        <Visible text={url ?? commandLine(command === undefined ? [] : [command, ...args])} />
      </code>
      {surveyRemarks(row).map(({ kind, text }) => (
        <p key={text} class={kind === "problem" ? "error" : "hint"}>
          <Visible text={text} />
        </p>
      ))}
    </li>
  );
}

/** Clients whose file cannot be read. */
function Unread({ survey }: { survey: Survey }) {
  return survey.clients
    .filter(({ error }) => error !== undefined)
    .map(({ client, name, config_path, error }) => (
      <p key={client} class="notice warn">
        <Icon name="warn" />
        <span class="grow">
          The configuration of {name} was not read (<code>{config_path}</code>): {error}
        </span>
      </p>
    ));
}

/** Imports the rows, client by client, and reports the result. */
async function importAll(survey: Survey, rows: readonly SurveyRow[], keepSecrets: boolean): Promise<void> {
  const names: string[] = [];
  const failed: string[] = [];
  let secretCount = 0;
  try {
    for (const request of importRequests(survey, rows, { keepSecrets })) {
      const done = await call("POST /api/v1/servers/import/path", request);
      names.push(...done.imported.map(({ name }) => name));
      failed.push(...done.failed.map(({ name, error }) => `${name}: ${error}`));
      secretCount += done.imported.flatMap(({ secrets }) => secrets.filter((one) => one.stored_as)).length;
    }
  } catch (error) {
    failed.push(reasonOf(error));
  }
  await fresh("GET /api/v1/servers", {});
  const moved = secretCount > 0 ? `, ${plural(secretCount, "secret")} moved out of plain text` : "";
  if (names.length > 0) toast(`${plural(names.length, "server")} imported${moved}`);
  if (failed.length > 0) toast(`Not imported: ${failed.join("; ")}`, { tone: "bad" });
}
