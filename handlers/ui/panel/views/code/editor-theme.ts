import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/**
 * The colours and sizes of the code editor. Custom properties are inherited by the shadow root, so the editor uses the page's
 * colours.
 */
export function editorTheme(isDark: boolean) {
  return [
    EditorView.theme(
      {
        "&": { height: "100%", color: "var(--text)", backgroundColor: "transparent", fontSize: "13px" },
        "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
        ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
        ".cm-content": { padding: "0.6rem 0", caretColor: "var(--text)" },
        ".cm-cursor": { borderLeftColor: "var(--text)" },
        ".cm-gutters": { backgroundColor: "transparent", color: "var(--text-3)", border: "0" },
        ".cm-activeLine, .cm-activeLineGutter": {
          backgroundColor: "color-mix(in srgb, var(--hover) 70%, transparent)",
        },
        "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
          backgroundColor: "var(--chosen)",
        },
        ".cm-tooltip": {
          color: "var(--text)",
          backgroundColor: "var(--raised)",
          border: "1px solid var(--line-2)",
          borderRadius: "6px",
          boxShadow: "var(--shadow-2)",
        },
        ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxWidth: "min(40rem, 90vw)" },
        ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.5rem" },
        ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--text)", backgroundColor: "var(--chosen)" },
        ".cm-completionDetail": { fontStyle: "normal", color: "var(--text-3)" },
        ".cm-completionInfo": {
          maxWidth: "24rem",
          padding: "0.5rem 0.7rem",
          fontFamily: "var(--sans)",
          whiteSpace: "pre-wrap",
        },
        ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
        ".cm-panels": { color: "var(--text)", backgroundColor: "var(--sunken)" },
        ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
      },
      { dark: isDark },
    ),
    syntaxHighlighting(
      HighlightStyle.define([
        { tag: [tags.keyword, tags.operatorKeyword], color: isDark ? "#c79bf2" : "#7a2fb8" },
        { tag: [tags.string, tags.special(tags.string)], color: isDark ? "#8fd19e" : "#176b3a" },
        { tag: [tags.number, tags.bool, tags.null], color: isDark ? "#f0b26b" : "#94520a" },
        { tag: [tags.comment], color: "var(--text-3)", fontStyle: "italic" },
        { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--accent)" },
        { tag: [tags.typeName, tags.className], color: isDark ? "#6fc7d8" : "#0d6478" },
        { tag: [tags.propertyName], color: isDark ? "#b9c4d6" : "#3a4557" },
      ]),
    ),
  ];
}
