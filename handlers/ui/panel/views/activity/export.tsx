import { useState } from "preact/hooks";
import { address } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Switch } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { count } from "../../parts/time.tsx";
import type { Filters } from "./feed.ts";

/** Exports the filtered records as a file. */
export function Export({ filters, total, onClose }: { filters: Filters; total: number; onClose(): void }) {
  const [bodies, setBodies] = useState(false);
  const to = (format: "json" | "csv") =>
    address("GET /api/v1/activity/export", {
      query: { ...filters, format, ...(bodies && format === "json" && { include_bodies: "true" }) },
    });
  return (
    <Dialog
      title={`Export ${count(total)} ${total === 1 ? "record" : "records"}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <a class="button" href={to("csv")} download>
            <Icon name="download" />
            CSV
          </a>
          <a class="button main" href={to("json")} download>
            <Icon name="download" />
            JSON Lines
          </a>
        </>
      }
    >
      <p class="muted">The current filters apply; newest records first. Both formats mask secrets.</p>
      <Switch
        label="Include requests and responses"
        hint="JSON Lines only; the file can become large."
        checked={bodies}
        onChange={setBodies}
      />
    </Dialog>
  );
}
