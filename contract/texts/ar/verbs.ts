// What people do to records, in Arabic: nouns that follow "permission of".
import type { verbs as english } from "../en/verbs.ts";

export const verbs = {
  to_index: "عرض قائمة",
  to_view: "عرض",
  to_add: "إضافة",
  to_edit: "تعديل",
  to_delete: "حذف",
  to_comment: "التعليق على",
  to_import: "استيراد",
  to_export: "تصدير",
  to_bulk: "إجراء تغييرات جماعية على",
  to_design: "تصميم",
  to_restore: "استعادة",
  to_purge: "الحذف النهائي من",
  to_share: "مشاركة",
  to_move: "نقل سجلات",
  to_deactivate: "تعطيل",
  to_activate: "تفعيل",
  to_resend: "إعادة إرسال",
  to_reset_mfa: "إعادة ضبط المصادقة الثنائية لـ",
  to_revoke: "إلغاء",
  to_see_access: "معرفة من لديه وصول إلى",
  record_types: "أنواع السجلات",
} as const satisfies Record<keyof typeof english, string>;
