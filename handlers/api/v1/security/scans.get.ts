import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { cursorText, pagedListing } from "#lib/core/api/listing.ts";
import { choice, clamped, offset, word } from "#lib/core/api/query.ts";
import { pageMembers, rowsByMembers } from "#lib/core/schema/list-page.ts";
import { ScanEntry, ScanStatus } from "#lib/core/schema/scan.ts";
import { listScans, SORTS } from "#lib/modules/scan/scan-status.ts";

const pages = pagedListing("scans", [], "newest first");

/** The stored scans, up to twenty for each server, by default newest first. */
export default endpoint("GET /api/v1/security/scans", {
  summary: "List scans",
  access: "admin",
  query: v.object({
    status: word(ScanStatus.options, "status of the scans"),
    sort: choice(SORTS, "started_at", "sort key"),
    order: choice(["asc", "desc"], "desc", "sort order"),
    limit: clamped(1, 200, 50),
    offset: offset(),
    cursor: cursorText,
  }),
  data: v.object({
    scans: v.array(ScanEntry),
    ...pageMembers,
  }),
  async run({ app, query: { sort, order, ...query } }) {
    const all = await listScans(app, { ...query, sort, order });
    // A cursor is only valid for the sort order that it was created with.
    const choose = pages.choose({ ...query, order: `${sort} ${order}` });
    const { rows, ...page } = await choose(rowsByMembers(all, "id"));
    return { scans: rows, ...page };
  },
});
