// Hints for formulas and rules, and combinations that must be unique.
export const designRules = {
  formula_no_option: "„{{text}}“ ist keine Option von {{field}}. Optionen: {{options}}.",
  formula_use_option: "„{{value}}“ verwenden",
  quoted: "„{{text}}“",
  rule_needs: "Mit dieser Regel lassen sich Datensätze ohne {{fields}} nicht speichern.",
  rule_allow_empty: "Leere Werte erlauben",
  unique_sets: "Eindeutige Kombinationen",
  unique_sets_lead:
    "Keine zwei Datensätze dürfen in allen diesen Feldern dieselben Werte haben. Datensätze mit einem leeren Wert werden nicht verglichen.",
  unique_set: "Felder der Kombination {{place}}",
  unique_set_add: "Kombination hinzufügen",
  unique_set_remove: "Kombination {{place}} entfernen",
  module_name_missing: "Geben Sie einen Namen mit Buchstaben von a bis z ein",
};
