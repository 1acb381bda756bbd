// Takes a label; gives how a joined column is called in a row: `Created by` → "Created By".
export const titleCase = (label: string): string => label.replace(/(^|\s)(\p{L})/gu, (whole) => whole.toUpperCase());
