import { createValue } from "./value.ts";

/** The user's choice; `auto` follows the system. */
type Theme = "auto" | "light" | "dark";

const KEY = "proxy.theme";
const ORDER: readonly Theme[] = ["auto", "light", "dark"];

function stored(): Theme {
  const found = localStorage.getItem(KEY);
  return found === "light" || found === "dark" ? found : "auto";
}

export const theme = createValue<Theme>(stored());

function show(chosen: Theme): void {
  document.documentElement.dataset.theme = chosen;
}
show(theme.get());

export function chooseTheme(chosen: Theme): void {
  if (chosen === "auto") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  show(chosen);
  theme.set(chosen);
}

export const nextTheme = (now: Theme): Theme => ORDER[(ORDER.indexOf(now) + 1) % ORDER.length] ?? "auto";

const system = matchMedia("(prefers-color-scheme: dark)");

/** Whether the panel is dark, for content that the style sheet cannot colour. */
export const dark = createValue(isDark());
function isDark(): boolean {
  return theme.get() === "dark" || (theme.get() === "auto" && system.matches);
}
system.addEventListener("change", () => dark.set(isDark()));
theme.subscribe(() => dark.set(isDark()));
