import type { Data } from "../../api.ts";
import { act, fresh, useLive } from "../../live.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { Switch } from "../../parts/field.tsx";
import { Section } from "../../parts/page.tsx";
import { Shown } from "../../parts/states.tsx";

type Scanner = Data<"GET /api/v1/security/scanners">["scanners"][number];

async function setOn({ id, name }: Scanner, on: boolean): Promise<void> {
  await act(
    `POST /api/v1/security/scanners/{id}/${on ? "enable" : "disable"}`,
    { params: { id } },
    {
      done: `${name} is ${on ? "enabled" : "disabled"}`,
    },
  );
  await fresh("GET /api/v1/security/scanners", {});
}

/** The scanners, and which of them take part in a scan. */
export function Scanners() {
  const answer = useLive("GET /api/v1/security/scanners", {});
  return (
    <Shown of={answer}>
      {({ scanners }) => (
        <Section flush>
          <ul class="lines" aria-label="Scanners">
            {scanners.map((s) => (
              <li key={s.id}>
                <div class="grow">
                  <span class="name">{s.name}</span> <Tag>{s.kind}</Tag>{" "}
                  {s.status === "unavailable" && <Badge tone="bad">Unavailable</Badge>}
                  <p class="muted">{s.description}</p>
                  {s.error_message && <p class="error">{s.error_message}</p>}
                  <p class="hint">
                    Reads {s.inputs.join(", ")}
                    {s.docker_image && (
                      <>
                        {" "}
                        in <code>{s.docker_image}</code>
                      </>
                    )}
                  </p>
                </div>
                <Switch label={`Enable ${s.name}`} checked={s.enabled} onChange={(on) => void setOn(s, on)} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Shown>
  );
}
