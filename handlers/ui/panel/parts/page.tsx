import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { href } from "../route.ts";
import { Icon } from "./icon.tsx";

interface PageProps {
  title: string;
  /** The way up: `[["Servers", "/servers"]]`. */
  crumbs?: readonly (readonly [title: string, path: string])[];
  /** Beside the title: a badge. */
  aside?: ComponentChildren;
  /** Buttons, at the other end of the title's line. */
  actions?: ComponentChildren;
  /** One sentence below the title. */
  about?: ComponentChildren;
  children: ComponentChildren;
}

/** A page: its place in the panel, its title, what can be done, and its content. On arrival the focus is on the title. */
export function Page({ title, crumbs = [], aside, actions, about, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · proxy`;
  }, [title]);
  useEffect(() => {
    document.querySelector("main")?.scrollTo(0, 0);
    // On the first page the browser's own beginning is the right one.
    if (arrived) heading.current?.focus({ preventScroll: true });
    arrived = true;
  }, []);
  return (
    <>
      <header class="page-head">
        {crumbs.length > 0 && (
          <nav class="crumbs" aria-label="Breadcrumb">
            {crumbs.map(([name, path], i) => (
              <span key={path}>
                {i > 0 && <Icon name="right" size={10} />}
                <a href={href(path)}>{name}</a>
              </span>
            ))}
          </nav>
        )}
        <div class="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {aside}
          {actions && <div class="page-actions">{actions}</div>}
        </div>
        {about && <p class="page-about">{about}</p>}
      </header>
      {children}
    </>
  );
}

let arrived = false;

/** A part of a page with a heading of its own. */
export function Section({
  title,
  actions,
  children,
  flush,
}: {
  title?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
  /** Without room around the content, for tables. */
  flush?: boolean;
}) {
  return (
    <section class={`card${flush ? " flush" : ""}`}>
      {(title || actions) && (
        <header>
          {title && <h2>{title}</h2>}
          {actions && <div class="row end">{actions}</div>}
        </header>
      )}
      <div class="card-body">{children}</div>
    </section>
  );
}

/** Names and values below each other. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  const given = of.filter(([, value]) => value !== undefined && value !== "" && value !== null && value !== false);
  return (
    <dl class="facts">
      {given.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A number that matters, with what it means. */
export function Stat({
  label,
  value,
  note,
  tone,
  to,
}: {
  label: string;
  value: ComponentChildren;
  note?: ComponentChildren;
  tone?: "ok" | "warn" | "bad";
  to?: string;
}) {
  const inner = (
    <>
      <span class="stat-label">{label}</span>
      <span class={`stat-value${tone ? ` ${tone}` : ""}`}>{value}</span>
      {note && <span class="stat-note">{note}</span>}
    </>
  );
  return to ? (
    <a class="stat" href={href(to)}>
      {inner}
    </a>
  ) : (
    <div class="stat">{inner}</div>
  );
}
