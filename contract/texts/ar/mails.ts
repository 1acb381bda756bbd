// What emails say around what people wrote, in Arabic.
import type { mails as english } from "../en/mails.ts";

export const mails = {
  mail_hello: "مرحبًا،",
  mail_invitation_subject: "يدعوك {inviter} إلى {organization}",
  mail_invitation: "يدعوك {inviter} إلى الانضمام إلى {organization} على Dossier. اختر اسم مستخدم وكلمة مرور لتبدأ.",
  mail_invitation_button: "قبول الدعوة",
  mail_invitation_closing:
    "هذه الدعوة لك وحدك، وعدد أيام صلاحيتها {days}. إذا لم تكن تتوقعها فيمكنك تجاهل هذه الرسالة.",
  mail_password_subject: "أعد تعيين كلمة مرورك",
  mail_password: "طلب شخص ما، ربما أنت، إعادة تعيين كلمة المرور لاسم المستخدم {userName}.",
  mail_password_button: "اختيار كلمة مرور جديدة",
  mail_password_closing:
    "يعمل الرابط مرة واحدة، وعدد دقائق صلاحيته {minutes}. إذا لم تطلب ذلك فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.",
  mail_confirmation_subject: "أكّد عنوان بريدك الإلكتروني",
  mail_confirmation: "أكّد أن هذا العنوان يخص اسم المستخدم {userName}.",
  mail_confirmation_button: "تأكيد العنوان",
  mail_confirmation_closing: "يعمل الرابط مرة واحدة، وعدد أيام صلاحيته {days}. إذا لم تسجّل فيمكنك تجاهل هذه الرسالة.",
  mail_mention_subject: "أشار إليك {by}: {record}",
  mail_mention: "أشار إليك {by} في تعليق على {record}:",
  mail_mention_closing: "وصلتك هذه الرسالة لأن أحدهم أشار إليك.",
  mail_open_record: "فتح السجل",
  mail_open: "فتح {record}",
  mail_workflow_closing: "وصلتك هذه الرسالة لأن سجلًا تملكه أو تتابعه قد تغيّر.",
  mail_yes: "نعم",
  mail_no: "لا",
  note_your_turn: "{type}: مطلوب إجراء منك ({stage})",
  note_changed: "عدّل {by} السجل {record}",
  note_moved: "نقل {by} السجل {record} إلى {stage}",
  note_backup_failed: "فشل النسخ الاحتياطي المجدول. {detail}",
  note_mail_held: "رسائل معلّقة: {emails}. {why}",
  note_mail_held_gone: "رسائل معلّقة: {emails}. {why} انتظرت {gone} مدة 7 أيام ولن تُرسل.",
  some_emails: "رسائل بريد ({count})",
  hold_unconfirmed: "يجب أن يؤكد أحد المديرين بريده الإلكتروني قبل أن تتمكن هذه المؤسسة من مراسلة أي شخص آخر.",
  hold_outside: "لا يُسمح لهذه المؤسسة بعد بمراسلة أشخاص خارجها. اطلب السماح بذلك ممن يشغّل هذه الخدمة.",
  hold_quota: "بلغت هذه المؤسسة حد البريد. تُرسل الرسائل حالما يسمح الحد بذلك.",
  hold_recipient: "تلقى المستلم رسائل كثيرة جدًا خلال ساعة. تُرسل الرسالة لاحقًا.",
} as const satisfies Record<keyof typeof english, string>;
