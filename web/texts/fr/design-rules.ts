// Hints for formulas and rules, and combinations that must be unique.
export const designRules = {
  formula_no_option: "« {{text}} » n’est pas une option de {{field}}. Options : {{options}}.",
  formula_use_option: "Utiliser « {{value}} »",
  quoted: "« {{text}} »",
  rule_needs: "Avec cette règle, les fiches sans {{fields}} ne peuvent pas être enregistrées.",
  rule_allow_empty: "Autoriser les valeurs vides",
  unique_sets: "Combinaisons uniques",
  unique_sets_lead:
    "Deux fiches ne peuvent pas avoir les mêmes valeurs dans tous ces champs. Les fiches dont une valeur est vide ne sont pas comparées.",
  unique_set: "Champs de la combinaison {{place}}",
  unique_set_add: "Ajouter une combinaison",
  unique_set_remove: "Retirer la combinaison {{place}}",
  module_name_missing: "Saisissez un nom contenant des lettres de a à z",
};
