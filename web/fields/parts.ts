// The inputs of all field types, and values that take more than a text: fetched as one, by field-part.tsx.
export { FileInput } from "./files/file-input.tsx";
export { FileValue } from "./files/file-value.tsx";
export { FilterValueRecords } from "./filter/filter-value-records.tsx";
export { AddressInput, AddressText } from "./inputs/address-parts.tsx";
export { AmountInput } from "./inputs/amount-input.tsx";
export { ChoiceFilter, ChoiceInput, ChoicesInput, FlagFilter, FlagInput } from "./inputs/choice-inputs.tsx";
export { DateFilter, DateInput, DateTimeFilter, DateTimeInput } from "./inputs/date-inputs.tsx";
export { DocumentValue, JsonInput } from "./inputs/json-field.tsx";
export { ReferenceInput } from "./inputs/reference-input.tsx";
export {
  EmailInput,
  LongTextInput,
  NumberInput,
  PhoneInput,
  PointInput,
  ShortTextInput,
  UrlInput,
  WholeNumberInput,
} from "./inputs/text-inputs.tsx";
export { StoredAmount } from "./showing/stored-amount.tsx";
export { StoredName } from "./showing/stored-name.tsx";
export { StoredPlace } from "./showing/stored-place.tsx";
