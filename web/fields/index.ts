// The registry of field types: a line per type. The compiler names the one that is missing.
import type { FieldTypeId } from "../../contract/field-types.ts";
import { address } from "./address.tsx";
import { autoNumber } from "./auto-number.tsx";
import { choice } from "./choice.tsx";
import { date } from "./date.tsx";
import { dateTime } from "./date-time.tsx";
import { decimal } from "./decimal.tsx";
import { email } from "./email.tsx";
import type { FieldType } from "./field-type.ts";
import { file } from "./file.tsx";
import { flag } from "./flag.tsx";
import { geoPoint } from "./geo-point.tsx";
import { image } from "./image.tsx";
import { integer } from "./integer.tsx";
import { json } from "./json.tsx";
import { longText } from "./long-text.tsx";
import { money } from "./money.tsx";
import { multipleChoice } from "./multiple-choice.tsx";
import { percent } from "./percent.tsx";
import { phone } from "./phone.tsx";
import { rating } from "./rating.tsx";
import { reference } from "./reference.tsx";
import { shortText } from "./short-text.tsx";
import { url } from "./url.tsx";

export const fieldTypes: Readonly<Record<FieldTypeId, FieldType>> = {
  "short-text": shortText,
  "long-text": longText,
  integer,
  decimal,
  money,
  percent,
  rating,
  flag,
  date,
  "date-time": dateTime,
  choice,
  "multiple-choice": multipleChoice,
  reference,
  email,
  phone,
  url,
  address,
  image,
  file,
  json,
  "auto-number": autoNumber,
  "geo-point": geoPoint,
} satisfies Record<FieldTypeId, FieldType>;

/** The parts of field types that are not fetched with this file. */
export async function fetchFieldParts(): Promise<void> {
  const parts = Object.values(fieldTypes).flatMap(({ Input, Stored, FilterInput, FilterValues }) => [
    Input?.fetchPart,
    Stored?.fetchPart,
    FilterInput?.fetchPart,
    FilterValues?.fetchPart,
  ]);
  await Promise.all(parts.map((fetchPart) => fetchPart?.()));
}
