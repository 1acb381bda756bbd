// What reading a text from outside (a spreadsheet, the clipboard) takes and gives: the value of the wire, what to look a
// reference up by, or the key of the text that says why it is invalid. Whether the field's rules hold is checked by
// check-value.ts.
import type { SchemaField } from "../../../client/design/record-types.ts";

export type Unreadable = "number" | "whole_number" | "date" | "moment" | "yes_no" | "choice" | "choices" | "on_page";

export type Reading =
  | { readonly value: string | null; readonly text?: string | undefined }
  /** The record that is called so. */
  | { readonly name: string }
  | { readonly why: Unreadable };

export interface Reader {
  /** Of the reader; undefined: the browser's own. */
  readonly locale: string | undefined;
  /** In which a time is meant that names no other. */
  readonly timeZone: string;
  readonly yes: string;
  readonly no: string;
}

export type ReadField = Pick<SchemaField, "type" | "options" | "settings">;

/** As it is written. */
export const readAsIs = (text: string): Reading => ({ value: text });

/** What no text can say: the page of the record has room for it. */
export const readNothing = (): Reading => ({ why: "on_page" });
