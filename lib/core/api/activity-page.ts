import * as v from "valibot";
import { ActivityEntryShape } from "../schema/activity-entry.ts";
import type { ActivityList, ActivityPageOptions } from "../verbs/activity/list.ts";
import { activityFilters } from "./activity-filters.ts";
import { type CursorQuery, readCursor, writeCursor } from "./cursor.ts";
import { fieldsParameter, pickFields } from "./fields.ts";
import { cursorQueryOf, cursorText, refuseOffsetWithCursor } from "./listing.ts";
import { clamped, offset } from "./query.ts";

/** The query parameters of every list of records. */
export const activityQuery = {
  ...activityFilters,
  limit: clamped(1, 100, 50),
  offset: offset(),
  cursor: cursorText,
  fields: fieldsParameter(ActivityEntryShape),
};
const Query = v.object(activityQuery);
type Query = v.InferOutput<typeof Query>;

/** The members of the response besides the records. */
export const activityPageMembers = {
  total: v.pipe(v.number(), v.description("total number of matches")),
  total_is_capped: v.optional(
    v.pipe(
      v.literal(true),
      v.description("there are more matches than `total`, where counting stopped; use `cursor` to read all of them"),
    ),
  ),
  limit: v.number(),
  offset: v.number(),
  next_cursor: v.optional(v.pipe(v.string(), v.description("cursor of the next page; absent on the last page"))),
};

const PLACE = v.tuple([v.number(), v.string()]);

/**
 * Returns the page that a query requests. @throws Fault invalid_request for a cursor of another list, filter or order
 */
export function activityWanted(name: string, query: Query & CursorQuery): ActivityPageOptions {
  const { limit, offset, cursor } = query;
  refuseOffsetWithCursor(query);
  if (cursor === undefined) return { limit, offset };
  const [at, id] = v.parse(PLACE, readCursor(name, cursorQueryOf(query), cursor));
  return { limit, after: { at, id } };
}

/** Returns the response for a page of records. */
export function activityPage(
  name: string,
  query: Query & CursorQuery,
  { activities, total, isCapped, last }: ActivityList,
) {
  const { limit, offset, fields } = query;
  return {
    rows: activities.map((entry) => pickFields(entry, fields)),
    page: {
      total,
      ...(isCapped && { total_is_capped: true as const }),
      limit,
      offset,
      ...(last && { next_cursor: writeCursor(name, cursorQueryOf(query), [last.at, last.id]) }),
    },
  };
}
