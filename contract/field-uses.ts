// What becomes of something that uses a field when the field is removed, converted or renamed.

/**
 * `left_out`: goes on without the field, and has it again when it comes back. `unmet`: so does it, but what it asks of the field never
 * holds. `prevents`: must be changed first. `stays`: goes on as it is. `by_alias`: goes on with the old name. `renamed`: has the new name
 * with the field. `checked`: is tried before the change is saved. `turned_off`: stops until somebody changes it. `may_turn_off`: stops if
 * it no longer fits. `parts_ignored`: goes on without what it did with the field and can't do any more (`loses`). `may_ignore_parts`: so does
 * it if that no longer fits.
 */
export type Becomes =
  | "left_out"
  | "unmet"
  | "prevents"
  | "stays"
  | "by_alias"
  | "renamed"
  | "checked"
  | "turned_off"
  | "may_turn_off"
  | "parts_ignored"
  | "may_ignore_parts";

/** What a view does with a field, beside showing it. */
export const viewPartNames = ["filter", "group", "figure", "sort"] as const;
export type ViewPart = (typeof viewPartNames)[number];
