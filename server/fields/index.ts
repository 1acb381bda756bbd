// The registry of field types: a line per type. The compiler names the one that is missing.
import type { FieldTypeId } from "../../contract/field-types.ts";
import { address } from "./address.ts";
import { autoNumber } from "./auto-number.ts";
import { choice } from "./choice.ts";
import { date } from "./date.ts";
import { dateTime } from "./date-time.ts";
import { decimal } from "./decimal.ts";
import { email } from "./email.ts";
import type { AnyFieldType } from "./field-type.ts";
import { file } from "./file.ts";
import { flag } from "./flag.ts";
import { geoPoint } from "./geo-point.ts";
import { image } from "./image.ts";
import { integer } from "./integer.ts";
import { json } from "./json.ts";
import { longText } from "./long-text.ts";
import { money } from "./money.ts";
import { multipleChoice } from "./multiple-choice.ts";
import { percent } from "./percent.ts";
import { phone } from "./phone.ts";
import { rating } from "./rating.ts";
import { reference } from "./reference.ts";
import { shortText } from "./short-text.ts";
import { url } from "./url.ts";

export const fieldTypes: Readonly<Record<FieldTypeId, AnyFieldType>> = {
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
} satisfies Record<FieldTypeId, AnyFieldType>;

export const fieldType = (id: FieldTypeId): AnyFieldType => fieldTypes[id];
