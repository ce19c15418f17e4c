import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { href } from "../route.ts";
import { Icon } from "./icon.tsx";

interface PageProps {
  title: string;
  /** Parent pages: `[["Servers", "/servers"]]`. */
  crumbs?: readonly (readonly [title: string, path: string])[];
  /** Beside the title: a badge. */
  aside?: ComponentChildren;
  /** Buttons, at the end of the title line. */
  actions?: ComponentChildren;
  /** One sentence below the title. */
  about?: ComponentChildren;
  children: ComponentChildren;
}

/** A page with breadcrumbs, title, actions and content. When it opens, the title gets the focus. */
export function Page({ title, crumbs = [], aside, actions, about, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · proxy`;
  }, [title]);
  useEffect(() => {
    document.querySelector("main")?.scrollTo(0, 0);
    // The first page keeps the browser's initial focus.
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

/** A section of a page with a heading. */
export function Section({
  title,
  actions,
  children,
  flush,
}: {
  title?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
  /** No padding around the content, for tables. */
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

/** A list of names and values. */
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

/** A number with its meaning. */
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
