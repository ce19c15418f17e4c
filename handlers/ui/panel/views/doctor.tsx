import { call, reasonOf } from "../api.ts";
import { useShortcuts } from "../keys.ts";
import { useLive } from "../live.ts";
import { Button } from "../parts/button.tsx";
import { Copy } from "../parts/copy.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Shown } from "../parts/states.tsx";
import { plural, sentence, Time } from "../parts/time.tsx";
import { toast } from "../parts/toast.tsx";
import { at, href } from "../route.ts";
import { check, type Finding, Remedy } from "./doctor/remedy.tsx";

const LOOKS: Record<Finding["severity"], { tone: string; icon: IconName; word: string }> = {
  error: { tone: "bad", icon: "bad", word: "Error" },
  warning: { tone: "warn", icon: "warn", word: "Warning" },
  info: { tone: "info", icon: "about", word: "Remark" },
};

/** The findings of the doctor, the most severe first, each with a button for its remedy. */
export default function Doctor() {
  const doctor = useLive("GET /api/v1/doctor", {});
  useShortcuts([{ keys: "r", label: "Check again", run: () => void check() }]);
  return (
    <Page
      title="Doctor"
      actions={
        <>
          <Button
            icon="download"
            onClick={save}
            title="A support bundle: state, configuration and logs, without secrets"
          >
            Diagnostics
          </Button>
          <Button icon="refresh" onClick={check}>
            Check again
          </Button>
        </>
      }
    >
      <Shown of={doctor}>
        {({ findings, healthy, total_issues: issues, checked_at }) => {
          const worst = findings.some((f) => f.severity === "error") ? "bad" : healthy ? "ok" : "warn";
          return (
            <>
              <section class="hero" role="status">
                <span class={`hero-icon ${worst}`}>
                  <Icon name={healthy ? "check" : worst === "bad" ? "bad" : "warn"} size={20} />
                </span>
                <div class="grow">
                  <h2>{healthy ? "No problems found" : `${plural(issues, "problem")} found`}</h2>
                  <p class="muted">
                    Checked <Time at={checked_at} />
                    {findings.length > issues && `, with ${plural(findings.length - issues, "remark")}`}
                  </p>
                </div>
              </section>
              {findings.length > 0 && (
                <Section flush>
                  <ul class="lines" aria-label="Findings">
                    {findings.map((f) => (
                      <Row key={`${f.code} ${f.server ?? ""} ${f.title}`} finding={f} />
                    ))}
                  </ul>
                </Section>
              )}
            </>
          );
        }}
      </Shown>
    </Page>
  );
}

function Row({ finding }: { finding: Finding }) {
  const { severity, title, detail, server, remedy, docs } = finding;
  const { tone, icon, word } = LOOKS[severity];
  return (
    <li class={tone}>
      <Icon name={icon} size={18} />
      <div class="grow">
        <span class="unsaid">{word}: </span>
        {server === undefined ? (
          <span class="name">{title}</span>
        ) : (
          <a class="name" href={href(at("servers", server))}>
            {title}
          </a>
        )}
        {detail && <p class="muted">{sentence(detail)}</p>}
        {remedy && !remedy.route && !remedy.command && <p>{remedy.action}.</p>}
        {remedy?.command && (
          <p class="hint command">
            <code>{remedy.command}</code>
            <Copy text={remedy.command} label="Copy the command" />
          </p>
        )}
        {docs && (
          <p class="hint">
            <a href={docs}>What this means</a>
          </p>
        )}
      </div>
      <div class="row">
        <Remedy finding={finding} />
      </div>
    </li>
  );
}

/** Downloads a support bundle. */
async function save(): Promise<void> {
  try {
    const found = await call("GET /api/v1/diagnostics", {});
    const url = URL.createObjectURL(new Blob([JSON.stringify(found, null, 2)], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = "proxy-diagnostics.json";
    link.click();
    // The browser has read the URL after it handled the click.
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } catch (error) {
    toast(reasonOf(error), { tone: "bad" });
  }
}
