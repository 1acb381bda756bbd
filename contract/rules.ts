// The names of the rules in `filterRules` that programs know: they tell from them what a field takes. All other rules have
// plain names of their own (`max_length`, `in`, …).

export const wireRule = {
  required: "required",
  email: "\\kernel\\validation::isValidEmail",
  phone: "\\kernel\\validation::isValidPhoneNumber",
  unique: "\\kernel\\validation::notDuplicate",
  integer: "\\kernel\\validation::isIntNumber",
} as const;
