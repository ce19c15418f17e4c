import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { again, connection } from "../events.ts";
import { type Shortcut, shortcuts, useShortcuts } from "../keys.ts";
import { useLive } from "../live.ts";
import { isFor, PAGES, type PageEntry } from "../pages.ts";
import { at, go, href, usePlace } from "../route.ts";
import { session, signOut } from "../session.ts";
import { chooseTheme, nextTheme, theme } from "../theme.ts";
import { useValue } from "../value.ts";
import { Button } from "./button.tsx";
import { Dialog, Questions } from "./dialog.tsx";
import { Icon } from "./icon.tsx";
import { Mark } from "./mark.tsx";
import { openPalette, Palette, useCommands } from "./palette.tsx";
import { Toasts } from "./toast.tsx";

const GROUPS = ["", "Use", "Trust", "System"] as const;
const THEMES = { auto: "as the system", light: "light", dark: "dark" } as const;

/** The frame of all pages: navigation, search, shortcuts, and connection state. */
export function Layout({ children }: { children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const [help, setHelp] = useState(false);
  const { path } = usePlace();
  const chosen = useValue(theme);
  const who = useValue(session);
  const mine = PAGES.filter((p) => who && isFor(p, who));
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (open) document.querySelector<HTMLElement>(".side a")?.focus();
  }, [open]);
  const switchTheme = () => chooseTheme(nextTheme(theme.get()));
  useShortcuts([
    { keys: "/", label: "Search", run: openPalette },
    { keys: "mod+k", label: "Search", run: openPalette, always: true },
    { keys: "?", label: "Show keyboard shortcuts", run: () => setHelp(true) },
    ...(open ? [{ keys: "Escape", label: "Close the navigation", run: () => setOpen(false) }] : []),
    { keys: "t", label: "Light, dark or system colours", run: switchTheme },
    ...mine
      .filter((p) => p.keys)
      .map((p): Shortcut => ({ keys: p.keys ?? "", label: p.title, run: () => void go(p.paths[0]) })),
  ]);
  const { data } = useLive("GET /api/v1/servers", {});
  useCommands(() => [
    ...mine
      .filter((p) => p.group !== undefined)
      .map((p) => ({
        title: p.title,
        kind: "Page",
        icon: p.icon,
        ...(p.keys && { keys: p.keys }),
        run: () => void go(p.paths[0]),
      })),
    ...(data?.servers ?? []).map(({ name, url = "", command = "" }) => ({
      title: name,
      kind: "Server",
      icon: "servers" as const,
      words: `${url} ${command}`,
      run: () => void go(at("servers", name)),
    })),
    { title: "Switch between light and dark", kind: "Action", icon: "moon", keys: "t", run: switchTheme },
    { title: "Show keyboard shortcuts", kind: "Action", icon: "keys", keys: "?", run: () => setHelp(true) },
    {
      title: "Open the API reference",
      kind: "Action",
      icon: "external",
      run: () => window.open("/docs/", "_blank", "noopener"),
    },
    { title: "Sign out", kind: "Action", icon: "out", run: () => void signOut() },
  ]);
  return (
    <div class={`frame${open ? " nav-open" : ""}`}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to content
      </a>
      <header class="topbar">
        <Button kind="bare" icon="menu" label="Navigation" expanded={open} onClick={() => setOpen(!open)} />
        <Mark size={20} />
        <span class="brand grow">proxy</span>
        <Button kind="bare" icon="search" label="Search" onClick={openPalette} />
      </header>
      <div class="shade" onClick={() => setOpen(false)} />
      <aside class="side">
        <a class="side-brand" href={href("/")} aria-label="proxy: overview">
          <Mark size={22} />
          <span class="brand">proxy</span>
        </a>
        <button type="button" class="side-search" onClick={openPalette}>
          <Icon name="search" size={14} />
          <span class="grow">Search</span>
          <kbd>/</kbd>
        </button>
        <nav aria-label="Pages">
          {GROUPS.map((group) => {
            const pages = mine.filter((p) => p.group === group);
            if (pages.length === 0) return null;
            return (
              <div key={group} class="side-group">
                {group && <h2>{group}</h2>}
                <ul>
                  {pages.map((page) => (
                    <li key={page.title}>
                      <NavLink
                        page={page}
                        path={path}
                        waiting={page.icon === "approvals" ? (data?.stats.waiting.total ?? 0) : 0}
                      />
                    </li>
                  ))}
                </ul>
              </div>
            );
          })}
        </nav>
        <div class="side-foot">
          <Standing />
          <Button
            kind="bare"
            small
            icon={chosen === "auto" ? "auto" : chosen === "dark" ? "moon" : "sun"}
            label={`Colours: ${THEMES[chosen]}`}
            onClick={switchTheme}
          />
          <Button kind="bare" small icon="out" label="Sign out" onClick={signOut} />
        </div>
      </aside>
      <Away />
      <main id="main" tabIndex={-1}>
        <div class="page">{children}</div>
      </main>
      <Toasts />
      <Questions />
      <Palette />
      {help && <Shortcuts onClose={() => setHelp(false)} />}
    </div>
  );
}

function NavLink({ page, path, waiting }: { page: PageEntry; path: string; waiting: number }) {
  const [first] = page.paths;
  const here = first === "/" ? path === "/" : path === first || path.startsWith(`${first}/`);
  return (
    <a href={href(page.paths[0])} aria-current={here ? "page" : undefined}>
      <Icon name={page.icon} />
      <span class="grow">{page.title}</span>
      {waiting > 0 && (
        <span class="count">
          {waiting}
          <span class="unsaid"> waiting</span>
        </span>
      )}
    </a>
  );
}

/** Shows whether the page is up to date. */
function Standing() {
  const state = useValue(connection);
  const text = { live: "Live", connecting: "Connecting", away: "Offline" }[state];
  return (
    <span class={`standing ${state} grow`} role="status">
      <i aria-hidden="true" />
      {text}
    </span>
  );
}

/** Shown while the proxy is not reachable: the content is outdated and actions are disabled. */
function Away() {
  if (useValue(connection) !== "away") return null;
  return (
    <div class="away" role="alert">
      <Icon name="warn" />
      <p>The proxy does not respond. This page shows the last known state and updates when the proxy is back.</p>
      <Button small onClick={again}>
        Try now
      </Button>
    </div>
  );
}

function Shortcuts({ onClose }: { onClose(): void }) {
  const all = shortcuts().filter((s, i, list) => list.findIndex((o) => o.label === s.label) === i);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {all.map(({ keys, label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              {keys.split(" ").map((key, i) => (
                <kbd key={i}>{key.replace("mod", "Ctrl")}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p class="hint">In lists: arrow keys move, Enter opens, Space selects.</p>
    </Dialog>
  );
}
