/** Sets the theme before the page is drawn. */
import "../../../handlers/ui/panel/theme.ts";
