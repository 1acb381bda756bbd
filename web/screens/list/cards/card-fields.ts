// What of a list's columns stands on a card: the name, an amount, a state, two details, and how to reach somebody. Pure.
import { fieldTypes } from "../../../fields/index.ts";
import { type Column, showsOwn } from "../columns/columns.ts";

export interface CardFields {
  /** Undefined where the view does not show what records are called. */
  readonly title: Column | undefined;
  readonly amount: Column | undefined;
  readonly state: Column | undefined;
  readonly details: readonly Column[];
  /** Days that something is due on. */
  readonly due: readonly Column[];
  readonly phone: Column | undefined;
  readonly mail: Column | undefined;
}

const MOST_DETAILS = 2;

/** `displayField`: what records are called by, as a column is named. */
export function cardFields(columns: readonly Column[], displayField: string): CardFields {
  const title = columns.find(({ name }) => name === displayField);
  const others = columns.filter((column) => column !== title);
  const first = (fits: (column: Column) => boolean): Column | undefined => others.find(fits);
  const amount = first(({ field }) => fieldTypes[field.type].hasCurrency === true);
  const state =
    first((column) => showsOwn(column, "current_stage")) ??
    first(({ field }) => fieldTypes[field.type].picks === "one");
  const phone = first(({ field }) => fieldTypes[field.type].isPhoneNumber === true);
  const mail = first(({ field }) => fieldTypes[field.type].isMailAddress === true);
  const used = new Set([amount, state, phone, mail]);
  const details = others
    // A number without its name, or a second one to call, says little in a line of words.
    .filter(({ field }) => {
      const { isNumeric, isPhoneNumber, untouched } = fieldTypes[field.type];
      return !isNumeric && !isPhoneNumber && untouched === undefined;
    })
    .filter((column) => !used.has(column))
    .slice(0, MOST_DETAILS);
  const due = others.filter(({ own }) => own?.settings?.due === 1);
  return { title, amount, state, details, due, phone, mail };
}
