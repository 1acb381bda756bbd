// What is wrong with a condition, an expression or a text with placeholders, in Spanish.
import type { formulas as english } from "../en/formulas.ts";

export const formulas = {
  formula_too_long: "tiene más de {max} caracteres",
  formula_too_deep: "tiene más de {max} niveles de anidamiento",
  unexpected_character: "carácter inesperado en la posición {position}",
  expected_at: "se esperaba {expected} en la posición {position}",
  expected_at_end: "se esperaba {expected} al final",
  a_lowercase_field: "un nombre de campo en minúsculas",
  a_field_or_value: "un campo o un valor",
  a_quoted_value: "un valor entre comillas",
  a_comparison: "una comparación",
  joint_or_end: "and, or o el final",
  operator_or_end: "un operador o el final",
  no_such_function: "no existe la función {name}. Use una de estas: {names}",
  wrong_arguments: "{name} no admite {count} {count|valor|valores}",
  in_placeholder: "{placeholder}: {reason}",
  formula_too_large: "la fórmula es demasiado larga (máximo: {max} partes)",
  at_position: "{reason}, en la posición {position}",
  mixed_currencies: "{one} y {other} son importes en monedas distintas",
  money_and_number:
    "{money} es un importe y {number} un número simple. Multiplíquelos, o convierta {number} en un campo de dinero",
  money_times_money: "{one} y {other} son ambos importes y no se pueden multiplicar",
  amount_in_currency_of:
    "la fórmula da un importe en la moneda indicada en {field}. Elija {field} como moneda del resultado",
  amount_in_own_currency:
    "la fórmula da un importe en la moneda de la organización. Deje vacío el campo de moneda del resultado",
  wrong_kind: "aquí debe haber {wanted}, no {is}",
  no_order: "{kind} no se puede comparar con < ni >",
  missing_field: "no existe el campo {name}",
  field_without_value: "{name} no se puede usar en una fórmula",
  use_date_of: "use {name}() para obtener la fecha de una fecha y hora",
  moves_by_itself: "{name}() cambia con el tiempo, así que su resultado no se puede guardar",
  bad_places: "el número de decimales debe estar entre 0 y {max}",
  kind_number: "un número",
  kind_text: "un texto",
  kind_date: "una fecha",
  kind_instant: "una fecha y hora",
  kind_truth: "sí o no",
} as const satisfies Record<keyof typeof english, string>;
