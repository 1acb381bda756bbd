// What is wrong with a file of exchange rates, and what became of it, in Arabic.
import type { imports as english } from "../en/imports.ts";

export const imports = {
  in_line: "{file}، السطر {line}: {reason}",
  too_many_rates: "عدد الأسعار أكبر من {max}. استورد فترة أقصر",
  not_a_date: "{sent} ليس تاريخًا",
  date_outside: "يجب أن يكون التاريخ بين {from} و{to}، وليس {sent}",
  not_a_currency_code: "{sent} ليس رمز عملة",
  rate_of_euro: "الأسعار محسوبة لكل يورو، فلا يمكن أن يكون لليورو (EUR) سعر",
  bad_rate: "يجب أن يكون سعر {currency} أكبر من 0 وبما لا يزيد على 6 منازل عشرية، وليس {sent}",
  two_rates: "للعملة {currency} سعران في {date}: {first} و{second}",
  line_too_long: "السطر أطول من {max} حرف",
  too_many_columns: "في السطر أكثر من {max} عمود",
  no_rates_header: "يجب أن يكون السطر الأول Date ورموز العملات (أو أرسل ملف XML)",
  rates_file_empty: "الملف فارغ",
  comment_open: "يوجد تعليق غير مغلق",
  no_document_types: "أنواع المستندات والكيانات وCDATA غير مدعومة",
  tag_open: "يوجد وسم غير مغلق",
  no_cubes: "لا توجد عناصر Cube. هذا ليس ملف أسعار اليورو المرجعية",
  rates_imported: "أسعار الصرف: أُضيف {added}، وحُدّث {changed}، وبقي {same} دون تغيير",
  currencies_skipped: "تم تخطي العملات غير المعروفة: {codes}",
} as const satisfies Record<keyof typeof english, string>;
