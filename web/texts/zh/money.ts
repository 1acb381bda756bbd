// The Chinese texts of amounts in several currencies.

export const money = {
  converted: "按 {{date}} 的汇率换算",
  no_rate: "缺少汇率，因此金额按货币分别显示",
  not_comparable: "金额使用不同货币，无法在图表中比较",
  mixed: "不同货币的金额仅按数值排序和筛选",
  import_rates: "导入汇率",
  import_failed: "无法导入汇率",
};
