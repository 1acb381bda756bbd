// Hints for formulas and rules, and combinations that must be unique.
export const designRules = {
  formula_no_option: "“{{text}}” ليس خيارًا في {{field}}. الخيارات: {{options}}.",
  formula_use_option: "استخدام “{{value}}”",
  quoted: "“{{text}}”",
  rule_needs: "مع هذه القاعدة لا يمكن حفظ السجلات التي تخلو من {{fields}}.",
  rule_allow_empty: "السماح بالقيم الفارغة",
  unique_sets: "تركيبات فريدة",
  unique_sets_lead: "لا يمكن أن تتطابق قيم سجلين في كل هذه الحقول. لا تُقارن السجلات التي فيها قيمة فارغة.",
  unique_set: "حقول التركيبة {{place}}",
  unique_set_add: "إضافة تركيبة",
  unique_set_remove: "إزالة التركيبة {{place}}",
  module_name_missing: "أدخل اسمًا فيه أحرف من a إلى z",
};
