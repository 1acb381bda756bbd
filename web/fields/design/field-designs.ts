// What a designer can do with each type of field: its icon, its own settings, and whether a new record can start with a
// value. One line per type; which input a setting has is setting-inputs.tsx.
import {
  type Icon,
  IconAlignLeft,
  IconAt,
  IconBraces,
  IconCalendar,
  IconCalendarClock,
  IconCash,
  IconCheckbox,
  IconCircleDot,
  IconDecimal,
  IconFile,
  IconHash,
  IconHome,
  IconLetterT,
  IconLink,
  IconListCheck,
  IconMapPin,
  IconNumber123,
  IconPercentage,
  IconPhone,
  IconPhoto,
  IconWorldWww,
} from "@tabler/icons-react";
import type { FieldTypeId } from "../../../contract/field-types.ts";

export type SettingKind =
  | "count"
  | "limit"
  | "word"
  | "options"
  | "record-type"
  | "currency-field"
  | "megabytes"
  | "media-types";

/** The names of all settings: each has its words. */
export type SettingName =
  | "maxLength"
  | "min"
  | "max"
  | "precision"
  | "scale"
  | "currencyField"
  | "options"
  | "to"
  | "maxBytes"
  | "accept"
  | "prefix"
  | "digits";

export interface SettingDesign {
  readonly name: SettingName;
  readonly kind: SettingKind;
  /** Of numbers. */
  readonly least?: number;
  readonly most?: number;
  /** What it is where nothing is said. */
  readonly usual?: number;
  /** It cannot be guessed. */
  readonly required?: boolean;
}

export interface FieldDesign {
  readonly icon: Icon;
  readonly settings: readonly SettingDesign[];
  /** A new record can start with a value of it. */
  readonly startsWith: boolean;
  /** The service fills it in. */
  readonly filledIn?: boolean;
  /** Found by searching unless the designer says otherwise. */
  readonly searched?: boolean;
}

const length = (usual: number, most: number): SettingDesign => ({
  name: "maxLength",
  kind: "count",
  least: 1,
  most,
  usual,
});
const places = (usual: number, most: number): SettingDesign => ({
  name: "scale",
  kind: "count",
  least: 0,
  most,
  usual,
});
const options: SettingDesign = { name: "options", kind: "options", required: true };
const megabytes = (usual: number, most: number): SettingDesign => ({
  name: "maxBytes",
  kind: "megabytes",
  least: 1,
  most,
  usual,
});

export const fieldDesigns: Readonly<Record<FieldTypeId, FieldDesign>> = {
  "short-text": { icon: IconLetterT, settings: [length(255, 1_000)], startsWith: true, searched: true },
  "long-text": { icon: IconAlignLeft, settings: [length(20_000, 1_000_000)], startsWith: true },
  integer: {
    icon: IconNumber123,
    settings: [
      { name: "min", kind: "limit" },
      { name: "max", kind: "limit" },
    ],
    startsWith: true,
  },
  decimal: {
    icon: IconDecimal,
    settings: [places(4, 38), { name: "precision", kind: "count", least: 1, most: 38, usual: 18 }],
    startsWith: true,
  },
  money: {
    icon: IconCash,
    settings: [places(2, 4), { name: "currencyField", kind: "currency-field" }],
    startsWith: true,
  },
  percent: { icon: IconPercentage, settings: [places(2, 4)], startsWith: true },
  flag: { icon: IconCheckbox, settings: [], startsWith: true },
  date: { icon: IconCalendar, settings: [], startsWith: true },
  "date-time": { icon: IconCalendarClock, settings: [], startsWith: true },
  choice: { icon: IconCircleDot, settings: [options], startsWith: true },
  "multiple-choice": { icon: IconListCheck, settings: [options], startsWith: true },
  reference: { icon: IconLink, settings: [{ name: "to", kind: "record-type", required: true }], startsWith: true },
  email: { icon: IconAt, settings: [], startsWith: false, searched: true },
  phone: { icon: IconPhone, settings: [], startsWith: false, searched: true },
  url: { icon: IconWorldWww, settings: [], startsWith: false },
  address: { icon: IconHome, settings: [], startsWith: false },
  image: { icon: IconPhoto, settings: [megabytes(5, 50)], startsWith: false },
  file: {
    icon: IconFile,
    settings: [megabytes(25, 1024), { name: "accept", kind: "media-types" }],
    startsWith: false,
  },
  json: { icon: IconBraces, settings: [], startsWith: false },
  "auto-number": {
    icon: IconHash,
    settings: [
      { name: "prefix", kind: "word" },
      { name: "digits", kind: "count", least: 1, most: 18, usual: 6 },
    ],
    startsWith: false,
    filledIn: true,
  },
  "geo-point": { icon: IconMapPin, settings: [], startsWith: true },
};
