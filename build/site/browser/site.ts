/** What the pages of the documentation do beyond text: search, theme and copying of commands. */
import { chooseTheme, nextTheme, theme } from "../../../handlers/ui/panel/theme.ts";
import { searchBox } from "./search.ts";

const place = (id: string) => document.getElementById(id)!;

function themeButton(): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  const show = () => {
    button.textContent = `Theme: ${theme.get()}`;
  };
  button.onclick = () => {
    chooseTheme(nextTheme(theme.get()));
    show();
  };
  show();
  return button;
}

function copyButton(code: HTMLElement): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.onclick = async () => {
    await navigator.clipboard.writeText(code.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  };
  return button;
}

place("theme").append(themeButton());
place("search").append(searchBox());
// Browsers offer the clipboard to secure pages only.
if (isSecureContext)
  for (const block of document.querySelectorAll<HTMLElement>("pre > code"))
    block.parentElement!.append(copyButton(block));
