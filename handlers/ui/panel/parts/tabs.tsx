import { useEffect, useRef } from "preact/hooks";
import { at, href } from "../route.ts";

/** Tabs of a page, each with its own URL. */
export function Tabs({
  label,
  base,
  tabs,
  current,
}: {
  label: string;
  /** Path of the page, such as `/servers/git`. */
  base: string;
  tabs: readonly { id: string; title: string; count?: number | undefined }[];
  current: string;
}) {
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen, the tabs scroll sideways.
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return (
    <nav class="tabs" aria-label={label} ref={nav}>
      {tabs.map(({ id, title, count }, i) => (
        <a key={id} href={href(i === 0 ? base : base + at(id))} aria-current={id === current ? "page" : undefined}>
          {title}
          {count !== undefined && count > 0 && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
