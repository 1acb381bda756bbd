// Hints for formulas and rules, and combinations that must be unique.
export const designRules = {
  formula_no_option: "“{{text}}”不是“{{field}}”的选项。可用选项：{{options}}。",
  formula_use_option: "使用“{{value}}”",
  quoted: "“{{text}}”",
  rule_needs: "使用此规则后，没有填写{{fields}}的记录将无法保存。",
  rule_allow_empty: "允许空值",
  unique_sets: "唯一组合",
  unique_sets_lead: "任意两条记录在这些字段中的值不能全部相同。含有空值的记录不参与比较。",
  unique_set: "组合 {{place}} 的字段",
  unique_set_add: "添加组合",
  unique_set_remove: "移除组合 {{place}}",
  module_name_missing: "请输入包含字母 a 到 z 的名称",
};
