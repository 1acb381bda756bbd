// Files, comments, notifications and the warning of duplicates, in Arabic.

export const files = {
  title: "الملفات",
  drop_one: "أفلت ملفًا هنا أو اختر واحدًا",
  drop_another: "أفلت ملفًا آخر هنا أو اختر واحدًا بدلًا منه",
  drop_many: "أفلت الملفات هنا أو اختر بعضها",
  choose: "إضافة ملفات إلى {{name}}",
  preview: "عرض {{name}}",
  download: "تنزيل {{name}}",
  remove: "إزالة {{name}}",
  remove_attachment: "حذف {{name}}",
  removed: "تم حذف {{name}}",
  restored: "تمت استعادة {{name}}",
  not_saved_yet: "لم يُحفظ بعد",
  sending: "أُرسل {{percent}}",
  stop: "إيقاف إرسال {{name}}",
  empty: "{{name}} فارغ",
  too_large: "{{name}} أكبر من {{size}}",
  wrong_kind: "{{name}} من نوع آخر؛ المقبول: {{kinds}}",
  choose_again: "اختر {{name}} من جديد: الملفات لا تبقى بعد إعادة التحميل",
  none: "لا ملفات بعد",
  failed: "لم تتم إضافة {{name}}: {{reason}}",
};

export const comments = {
  title: "التعليقات",
  none: "لم يُقل شيء بعد. أشر إلى زميل بالعلامة @ فيصله الخبر.",
  none_readonly: "لم يُقل شيء بعد.",
  write: "اكتب تعليقًا",
  placeholder: "علّق، أو أشر إلى أحد بـ @",
  send: "تعليق",
  answer: "رد",
  answer_to: "الرد على {{name}}",
  edit: "تعديل",
  delete: "حذف",
  more: "ما يمكن فعله بتعليق {{name}}",
  save: "حفظ",
  edited: "معدَّل",
  gone: "حُذف هذا التعليق",
  deleted: "تم حذف التعليق",
  restored: "تمت استعادة التعليق",
  somebody: "شخص ما",
  keys: "Ctrl + Enter للإرسال",
  people: "من يمكن الإشارة إليهم",
};

export const bell = {
  title: "الإشعارات",
  open_zero: "الإشعارات، لا جديد",
  open_one: "الإشعارات، واحد جديد",
  open_two: "الإشعارات، اثنان جديدان",
  open_few: "الإشعارات، {{count}} جديدة",
  open_many: "الإشعارات، {{count}} جديدًا",
  open_other: "الإشعارات، {{count}} جديد",
  none: "لا جديد لديك",
  none_lead: "حين يشير إليك أحد أو ينتظرك شيء، تجده هنا.",
  read_all: "تعليم الكل كمقروء",
  unread: "جديد",
};

export const duplicates = {
  title: "قد يكون هذا موجودًا",
  lead: "له نفس {{labels}}:",
  lead_plain: "يشبه:",
  save: "حفظ على أي حال",
  back: "متابعة التعديل",
  opens_apart: "يُفتح في تبويب جديد",
};
