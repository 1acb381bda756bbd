// The parameters of an import that a saved mapping can hold. Which file, which cells are corrected and whether anything is
// saved is said each time.

/** How a file is read. */
export const readingParameters = [
  "format",
  "encoding",
  "separator",
  "quote",
  "header_row",
  "sheet",
  "date_order",
  "decimal_sign",
] as const;

export const savedParameters = [
  "mapping",
  "mode",
  "key",
  "empty",
  "defaults",
  "grouped",
  "override_duplicates",
  ...readingParameters,
] as const;
