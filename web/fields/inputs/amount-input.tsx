// An amount, grouped as the reader writes numbers, with its currency beside it; typed in any way that can be read. What cannot be read
// is kept as it was typed, and said by the service.
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useRecordValue } from "../files/record-values.ts";
import { useFormats, useLocale } from "../formats.ts";
import { readNumber } from "../reading/read-number.ts";
import { useOwnCurrency } from "../showing/use-own-currency.ts";
import classes from "./amount-input.module.css";
import { type FieldInputProps, plainText } from "./field-input-props.ts";
import { base } from "./input-basics.ts";

export function AmountInput(props: FieldInputProps) {
  const formats = useFormats();
  const locale = useLocale();
  const currency = useCurrency(props.element.currency_field);
  const [typed, setTyped] = useState<string>();
  const [isFocused, setFocused] = useState(false);
  // Zeros that nobody typed would stand in the way of who types.
  const places = isFocused ? 0 : (props.element.scale ?? 0);
  return (
    <TextInput
      {...base(props)}
      inputMode="decimal"
      autoComplete="off"
      value={typed ?? formats.number(plainText(props.value), places)}
      onFocus={() => setFocused(true)}
      onBlur={() => {
        setFocused(false);
        setTyped(undefined);
      }}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        props.onChange(text.trim() === "" ? null : (readNumber(text, locale) ?? text));
      }}
      {...(currency === undefined
        ? {}
        : { rightSection: <span className={classes.currency}>{currency}</span>, rightSectionWidth: 48 })}
    />
  );
}

/** The record's own, unless another one was just chosen: its code is not known here. */
function useCurrency(field: string | null | undefined): string | undefined {
  const own = useOwnCurrency();
  const chosen = useRecordValue(field);
  const named = useRecordValue(field && `__${field}`);
  const [first] = useState(chosen);
  if (!field || chosen == null || chosen === "") return own;
  return chosen === first && typeof named === "string" ? named : undefined;
}
