// The Arabic texts of workflows and of what waits for the reader.

export const workflow = {
  bar: "سير العمل {{name}}",
  stages: "المراحل",
  more: "المزيد",
  your_turn: "الدور عليك",
  waits_for: "بانتظار {{names}}",
  agreed: "وافق: {{names}}",
  since: "في هذه المرحلة منذ {{age}}",
  not_yet: "غير متاح بعد",
  not_yet_plain: "«{{label}}» غير متاح بعد",
  not_yet_until: "يتاح «{{label}}» عندما: {{condition}}",
  moved: "انتقل إلى {{stage}}",
  voted: "سُجل صوتك، وما زال على آخرين أن يوافقوا",
  out_of_sight: "تم. انتقل إلى شخص آخر ولم تعد تراه",
  leads_to: "المرحلة التالية: {{stage}}",
  reason: "السبب",
  comment: "تعليق",
  create: "إنشاء سجل جديد",
  create_named: "إنشاء {{name}}",
  use_named: "استخدام {{name}}",
  same: "تطابق: {{labels}}",
  skip: "عدم الإنشاء",
  merge: "ملء حقوله الفارغة",
  undo: "تراجع عن {{label}}",
  undo_title: "هل تريد التراجع عن {{label}}؟",
  undo_lead:
    "يعود السجل إلى مرحلته السابقة، وتعود الحقول التي غيّرتها هذه الخطوة إلى قيمها السابقة، وتُحذف السجلات التي أُنشئت ولم تتغير منذ ذلك الحين.",
  log_vote: "{{label}} (واحد من عدة)",
};

export const work = {
  title: "عملي",
  lead: "ما ينتظرك في كل أنواع السجلات، الأقدم أولًا.",
  count: "عملي، {{count}} في الانتظار",
  kinds: "أنواع السجلات",
  all: "الكل",
  empty: "لا شيء ينتظرك",
  empty_lead: "عندما يصل سجل إلى مرحلة عليك التصرف فيها، يظهر هنا وتصلك إشعارات.",
};

export const comparisons = {
  joined: { and: " و ", or: " أو " },
  operators: {
    "=": "هو",
    "!=": "ليس",
    ">": "أكثر من",
    ">=": "على الأقل",
    "<": "أقل من",
    "<=": "على الأكثر",
    in: "أحد",
    "not in": "ليس أيًّا من",
    empty: "فارغ",
    "not empty": "غير فارغ",
  },
};
