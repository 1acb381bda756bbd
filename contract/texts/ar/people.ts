// Signing in and up, users, roles, invitations and keys, in Arabic.
import type { people as english } from "../en/people.ts";

export const people = {
  keys_by_people: "لا يدير مفاتيح API إلا شخص، وليس مفتاح API",
  bad_mail_domain: "النطاقات المسموح بها: {domain} ليس نطاق بريد",
  user_without_email: "ليس لهذا المستخدم بريد إلكتروني. أعطه الرابط الموجود في invitation_links ليختار كلمة مرور",
  password_email_sent: "أُرسلت رسالة فيها رابط لاختيار كلمة مرور إلى {email}",
  key_needs_name: "أدخل اسمًا يوضح الغرض من المفتاح",
  key_expired: "أدخل تاريخ انتهاء في المستقبل",
} as const satisfies Record<keyof typeof english, string>;
