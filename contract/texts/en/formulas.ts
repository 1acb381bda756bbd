// What is wrong with a condition, an expression or a text with placeholders. Written by the browser too, as it is typed: kept
// apart so that it loads nothing else.
export const formulas = {
  formula_too_long: "it has more than {max} characters",
  formula_too_deep: "it is nested more than {max} levels deep",
  unexpected_character: "unexpected character at position {position}",
  expected_at: "expected {expected} at position {position}",
  expected_at_end: "expected {expected} at the end",
  a_lowercase_field: "a field name in lowercase",
  a_field_or_value: "a field or a value",
  a_quoted_value: "a value in quotes",
  a_comparison: "a comparison",
  joint_or_end: "and, or, or the end",
  operator_or_end: "an operator or the end",
  no_such_function: "there is no function {name}. Use one of {names}",
  wrong_arguments: "{name} doesn't take {count} {count|value|values}",
  in_placeholder: "{placeholder}: {reason}",
} as const satisfies Record<string, string>;
