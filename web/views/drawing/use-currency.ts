// The currency that the amounts of a list share; a record without one of its own has the organisation's.
import { useQuery } from "@tanstack/react-query";
import { useOwnCurrency } from "../../fields/use-own-currency.ts";
import { currencyQuery } from "../../queries.ts";
import type { PictureProps } from "../picture.ts";

/** The currency that all amounts of a list are in; undefined where there are several, or nobody said. */
export function useCurrency(
  { recordTypeKey, schema, choice }: Pick<PictureProps, "recordTypeKey" | "schema" | "choice">,
  isWanted: boolean,
): string | undefined {
  const own = useOwnCurrency(isWanted);
  const column = schema.fields.find(({ to }) => to === "masters/currencies")?.column_name;
  const { data } = useQuery({
    ...currencyQuery(recordTypeKey, choice, column ?? ""),
    enabled: isWanted && column !== undefined,
  });
  if (column === undefined) return own;
  if (data === undefined) return undefined;
  const codes = new Set(data.map((code) => code ?? own));
  return codes.size === 1 ? [...codes][0] : undefined;
}
