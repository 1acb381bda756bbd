// The help of the fields that ship, in Arabic.
export const help = {
  "<module>/<controller>": "<module>/<controller>",
  "<module>/<controller>, or * for all others": "<module>/<controller>، أو * لكل ما عدا ذلك",
  "A different currency than the one above": "عملة غير العملة المذكورة أعلاه",
  "Actors on whose behalf the vote counts": "من يُحتسب الصوت نيابةً عنهم",
  "Available to people who sign up. Administrator roles can't be offered":
    "متاح لمن ينشئون حسابًا بأنفسهم. لا يمكن إتاحة أدوار المسؤولين",
  "Changes are sent here by POST": "تُرسل التغييرات إلى هنا بطلب POST",
  "Each changed field with its old and new value": "كل حقل تغيّر، بقيمته القديمة والجديدة",
  "Email domains whose users can join, one per line": "نطاقات البريد التي يمكن لمستخدميها الانضمام، نطاق في كل سطر",
  "Everyone must accept this version after their next sign-in": "على الجميع قبول هذا الإصدار بعد تسجيل دخولهم القادم",
  "Fields, conditions, order and column properties, as in q": "الحقول والشروط والترتيب وخصائص الأعمدة، كما في q",
  "First part of its URLs, such as crm": "الجزء الأول من عناوينها، مثل crm",
  "Has full access to the organization": "له وصول كامل إلى المؤسسة",
  "How much of the second currency one unit of the first currency buys":
    "كم تساوي وحدة واحدة من العملة الأولى بالعملة الثانية",
  "HTML: headings, paragraphs, lists, tables, links, emphasis": "HTML: عناوين وفقرات وقوائم وجداول وروابط وإبراز",
  "Kept as a number, even if the user is deleted": "يُحفظ كرقم، حتى لو حُذف المستخدم",
  "Leave empty for no expiry": "اتركه فارغًا إن لم يكن له تاريخ انتهاء",
  "Leave empty to send all changes": "اتركه فارغًا لإرسال كل التغييرات",
  "List views in their order, each with its id and size": "طرق العرض بترتيبها، كل منها بمعرّفها وحجمها",
  "move, approve, reject or recall": "move أو approve أو reject أو recall",
  "Name of its module": "اسم وحدته",
  "New records start in this workflow": "تبدأ السجلات الجديدة في مسار العمل هذا",
  "No longer in the latest version": "لم تعد في أحدث إصدار",
  "Offset from UTC during daylight saving time. Empty if there is none":
    "الفرق عن UTC في التوقيت الصيفي. فارغ إن لم يوجد",
  "Offset from UTC, such as +05:30": "الفرق عن UTC، مثل +05:30",
  "Leave empty to send changes to all records": "اتركه فارغًا لإرسال تغييرات جميع السجلات",
  "Parameters of an import, such as mapping, mode and key": "معاملات الاستيراد، مثل mapping وmode وkey",
  "Place of the change among all of the organization": "موضع التغيير بين كل تغييرات المؤسسة",
  "Read from the query if it names one": "يُقرأ من الاستعلام إن ذكره",
  "Records created by this step": "السجلات التي أنشأتها هذه الخطوة",
  "Records processed so far, including failed ones": "السجلات التي عولجت حتى الآن، بما فيها ما فشل",
  "Replaces the default form. If several are active, the latest one is used":
    "يحل محل النموذج الافتراضي. إن كان أكثر من نموذج مستخدمًا، يُؤخذ بأحدثها",
  "Revision created by this step": "المراجعة التي أنشأتها هذه الخطوة",
  "Role codes, separated by spaces. Hiding changes the navigation, not what people can access":
    "رموز الأدوار، تفصل بينها مسافات. الإخفاء يغيّر التنقل، لا ما يمكن الوصول إليه",
  "Sends only what this user can see": "لا يُرسل إلا ما يستطيع هذا المستخدم رؤيته",
  "Stages and the transitions between them": "المراحل والانتقالات بينها",
  "start, move or vote": "start أو move أو vote",
  "start, stage or end": "start أو stage أو end",
  "Such as crm/leads/index": "مثل crm/leads/index",
  "Tabs or sections of elements: fields, grids of children, related lists":
    "ألسنة أو أقسام من العناصر: حقول وجداول سجلات تابعة وقوائم مرتبطة",
  "The beginning of the answer": "بداية الجواب",
  "The kind of notification, such as mention": "صنف الإشعار، مثل mention",
  "The label exactly as it was written in the designer, including upper and lower case":
    "التسمية تمامًا كما كُتبت في المصمم، بما في ذلك الأحرف الكبيرة والصغيرة",
  "The rate applies from this day on": "يسري السعر من هذا اليوم فصاعدًا",
  "The user or group the record is shared with": "المستخدم أو المجموعة التي يُشارَك السجل معها",
  "This organization runs the server": "هذه المؤسسة تشغّل الخادم",
  "Unique within its module, such as leads": "فريد داخل وحدته، مثل leads",
  "Used by policies. Can't be changed": "تستخدمه السياسات. لا يمكن تغييره",
  "Visible only to its owner": "يراه مالكه فقط",
  "Visible to its owner and to those it is shared with": "يراه مالكه ومن شُورك معهم",
  "Who can view, edit, delete and comment. Replaces the record type's own rules":
    "من يحق له العرض والتعديل والحذف والتعليق. يحل محل قواعد نوع السجل نفسه",
  "Addresses the key works from, such as 203.0.113.7 or 10.0.0.0/8. Leave empty for everywhere":
    "العناوين التي يعمل منها المفتاح، مثل 203.0.113.7 أو 10.0.0.0/8. اتركه فارغًا ليعمل من أي مكان",
  'By record type, what the key can be used for, such as {"crm/leads": ["read"], "access_controls/users": ["view"]}. Leave empty for everything its user can do':
    'ما يُستخدم المفتاح له، بحسب نوع السجل، مثل {"crm/leads": ["read"], "access_controls/users": ["view"]}. اتركه فارغًا لكل ما يستطيعه مستخدمه',
  "For programs: has no password or email and signs in with API keys that administrators create":
    "لبرنامج: بلا كلمة مرور ولا بريد إلكتروني، ويدخل بمفاتيح API ينشئها المسؤولون",
};
