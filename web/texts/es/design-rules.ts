// Hints for formulas and rules, and combinations that must be unique.
export const designRules = {
  formula_no_option: "“{{text}}” no es una opción de {{field}}. Opciones: {{options}}.",
  formula_use_option: "Usar “{{value}}”",
  quoted: "“{{text}}”",
  rule_needs: "Con esta regla, los registros sin {{fields}} no se pueden guardar.",
  rule_allow_empty: "Permitir valores vacíos",
  unique_sets: "Combinaciones únicas",
  unique_sets_lead:
    "Dos registros no pueden tener los mismos valores en todos estos campos. Los registros con un valor vacío no se comparan.",
  unique_set: "Campos de la combinación {{place}}",
  unique_set_add: "Añadir combinación",
  unique_set_remove: "Quitar la combinación {{place}}",
  module_name_missing: "Introduzca un nombre con letras de la a a la z",
};
