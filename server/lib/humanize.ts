// Takes a field's name; gives the label that people read: `company_id` → "Company".
export function humanize(name: string): string {
  const words = name.replace(/_id$/, "").replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `Created by` → "Created By": how a joined column is called in a row. */
export const titleCase = (label: string): string => label.replace(/(^|\s)(\p{L})/gu, (whole) => whole.toUpperCase());
