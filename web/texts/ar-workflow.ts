// The Arabic texts of workflows and of what waits for the reader.

export const workflow = {
  bar: "سير العمل {{name}}",
  stages: "المراحل",
  more: "المزيد",
  log: "المراحل",
  your_turn: "الدور عليك",
  waits_for: "بانتظار {{names}}",
  agreed: "وافق: {{names}}",
  since: "في هذه المرحلة منذ {{age}}",
  moved: "انتقل إلى {{stage}}",
  voted: "سُجل صوتك، وما زال على آخرين أن يوافقوا",
  out_of_sight: "تم. انتقل إلى شخص آخر ولم تعد تراه",
  leads_to: "يؤدي إلى {{stage}}.",
  reason: "السبب",
  comment: "تعليق",
  log_empty: "لم يبدأ بعد. يبدأ سير العمل عند الحفظ التالي.",
  log_started: "بدأه {{who}}",
  log_by: "{{label}}، {{who}}",
  log_from: "من {{stage}}",
  log_vote: "{{label}} (واحد من عدة)",
  log_stays: "هنا منذ {{age}}",
  log_stayed: "بقي {{age}}",
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
