// What is wrong with a condition, an expression or a text with placeholders, in Arabic.
import type { formulas as english } from "../en/formulas.ts";

export const formulas = {
  formula_too_long: "يتجاوز النص {max} حرفًا",
  formula_too_deep: "مستويات التداخل أكثر من {max}",
  unexpected_character: "رمز غير متوقع في الموضع {position}",
  expected_at: "كان المتوقع {expected} في الموضع {position}",
  expected_at_end: "كان المتوقع {expected} في النهاية",
  a_lowercase_field: "اسم حقل بأحرف صغيرة",
  a_field_or_value: "حقل أو قيمة",
  a_quoted_value: "قيمة بين علامتي اقتباس",
  a_comparison: "علامة مقارنة",
  joint_or_end: "and أو or أو نهاية النص",
  operator_or_end: "عملية حسابية أو نهاية النص",
  no_such_function: "لا توجد دالة باسم {name}. استخدم إحدى الدوال: {names}",
  wrong_arguments: "عدد القيم الممررة إلى {name} غير صحيح: {count}",
  in_placeholder: "{placeholder}: {reason}",
} as const satisfies Record<keyof typeof english, string>;
