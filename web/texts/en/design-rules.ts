// Hints for formulas and rules, and combinations that must be unique.
export const designRules = {
  formula_no_option: "“{{text}}” isn't an option of {{field}}. Its options: {{options}}.",
  formula_use_option: "Use “{{value}}”",
  quoted: "“{{text}}”",
  rule_needs: "With this rule, records without {{fields}} can't be saved.",
  rule_allow_empty: "Allow empty values",
  unique_sets: "Unique combinations",
  unique_sets_lead:
    "No two records can have the same values in all of these fields. Records with an empty value are not compared.",
  unique_set: "Fields of combination {{place}}",
  unique_set_add: "Add combination",
  unique_set_remove: "Remove combination {{place}}",
  module_name_missing: "Enter a name that contains letters a to z",
};
