// What a type of field must say of itself so that the web app can show it, let people enter it, compare, group and draw
// it, and let a designer offer it. Only the file of a type knows more; everything else asks for these.
import type { ReactNode } from "react";
import type { FormElement, WireRecord, WireValue } from "../../client/records/records.ts";
import type { Formats } from "../../contract/formats.ts";
import type { FieldDesign } from "./design/field-design.ts";
import type { FieldPart } from "./field-part.tsx";
import type { FieldInputProps } from "./inputs/field-input-props.ts";
import type { FilterValuesProps } from "./inputs/filter-values-props.ts";
import type { Reader, ReadField, Reading } from "./reading/reading.ts";
import type { ShownField, ShownValue, ValueWords } from "./showing/shown-value.ts";

/** How the reader writes, and where the value stands. */
export interface Showing {
  readonly formats: Formats;
  readonly words: ValueWords;
  /** Links inside a table are for the pointer: there the keyboard moves by cells. */
  readonly tabIndex?: number | undefined;
}

/** A value on the page of its record; it is not empty. */
export interface StoredProps {
  readonly element: FormElement;
  readonly record: WireRecord;
  readonly value: WireValue;
  /** The value as a text, its parts side by side where it has some. */
  readonly plain: string;
}

/** What is worked out of many values. */
export type Figure = "sum" | "avg" | "min" | "max";

export interface FieldType {
  /** Undefined: people read it, the service fills it in. */
  readonly Input?: FieldPart<FieldInputProps>;
  /** One gesture is a whole answer, which is saved at once. */
  readonly isOneGesture?: boolean;
  /** It needs the room of its record's page: no cell of a table takes it. */
  readonly isForPages?: boolean;
  /** Its input has several lines and the whole width of a form. */
  readonly hasLines?: boolean;
  /** What an input that nobody touched says. Default: nothing. */
  readonly untouched?: string;

  /** The wire value of a written text, which is not empty. */
  read(text: string, field: ReadField, reader: Reader): Reading;
  /** A text for spreadsheets, which `read` understands. Default: what it is called, or the value. */
  copy?(shown: ShownValue, field: ShownField, words: ValueWords & { readonly timeZone: string }): string;

  /** As people read it, for charts and titles. Default: what it is called, or the value. */
  text?(shown: ShownValue, field: ShownField, showing: Showing): string;
  /** In a table or on a card, in plain elements: there are hundreds of them. Default: `text`. */
  show?(shown: ShownValue, field: ShownField, showing: Showing): ReactNode;
  /** On the page of its record. Default: `show`. */
  readonly Stored?: FieldPart<StoredProps>;
  /** Of a column in a table, in pixels. */
  readonly width: number;
  /** Its columns are aligned by the last digit. */
  readonly isNumeric?: boolean;
  /** Its values are amounts in a currency. */
  readonly hasCurrency?: boolean;
  /** Its values name records, by what those are called. */
  readonly isReference?: boolean;
  /** Its values are addresses to send mail to. */
  readonly isMailAddress?: boolean;
  /** Its values are numbers to call. */
  readonly isPhoneNumber?: boolean;
  /** Its length is counted in characters. */
  readonly isText?: boolean;
  /** Whether its values are days of the calendar or moments of days. */
  readonly days?: "day" | "instant";
  /** Its values are pictures. */
  readonly isPicture?: boolean;
  /** Its values are places on a map. */
  readonly isPlace?: boolean;
  /** Its values are yes and no. */
  readonly isYesNo?: boolean;
  /** Its values are one, or several, of the field's options. */
  readonly picks?: "one" | "several";

  /** One value to compare with. Default: a text. */
  readonly FilterInput?: FieldPart<FieldInputProps>;
  /** One or several values to compare with, where it takes more than an input for each. */
  readonly FilterValues?: FieldPart<FilterValuesProps>;
  /** A value to compare with, as people read it. Default: what it is called, or the value. */
  filterText?(value: string, showing: Showing): string;
  /** Values are too long or too many to make groups of. */
  readonly isNeverGrouped?: boolean;
  /** What can be worked out of a column, the usual first. */
  readonly figures?: readonly Figure[];
  /** What stands below a column of it (a sum, or what the service makes of it), as people read it. Default: nothing. */
  total?(text: string, field: ShownField, formats: Formats, currency: string | undefined): string;
  /** Charts are made by it: the smaller the rank, the earlier it is offered. `inOrder`: its own order, not by size. */
  readonly chart?: { readonly rank: number; readonly inOrder: boolean };

  readonly design: FieldDesign;
}
