// The Arabic texts of amounts in several currencies.

export const money = {
  converted: "حُوّلت بأسعار الصرف بتاريخ {{date}}",
  no_rate: "ينقص سعر صرف، لذلك تُعرض المبالغ حسب العملة",
  not_comparable: "المبالغ بعملات مختلفة ولا يمكن مقارنتها في مخطط",
  mixed: "تُرتَّب المبالغ بعملات مختلفة وتُصفّى حسب الرقم فقط",
  import_rates: "استيراد الأسعار",
  import_failed: "تعذّر استيراد أسعار الصرف",
};
