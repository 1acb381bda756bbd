// What things are called. `inlineLabel` takes a label and the language it is written in, and gives it as it stands within a sentence: "New lead", not "New Lead". Labels
// written In Title Case stay as they are (somebody chose that), and so do abbreviations ("API key") and languages whose nouns keep
// their capitals.
const lowers = new Set(["en", "fr", "es"]);

export function inlineLabel(label: string, language: string): string {
  const [first, ...others] = label.split(" ");
  if (first === undefined || !lowers.has(language.slice(0, 2))) return label;
  if (!/^\p{Lu}\p{Ll}+$/u.test(first) || others.some((word) => /^\p{Lu}\p{Ll}/u.test(word))) return label;
  return [first.toLocaleLowerCase(language), ...others].join(" ");
}

/** The label of a field that has only a name: `company_id` → "Company". */
export function humanize(name: string): string {
  const words = name.replace(/_id$/, "").replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
