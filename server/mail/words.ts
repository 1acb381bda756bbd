// The words of our messages, a language a table: what stands above the button, on it, and below.
import type { MailContent, MailKind } from "./content.ts";

export interface MailWords {
  readonly subject: string;
  /** Plain texts; a line break within one stays a line break. */
  readonly paragraphs: readonly string[];
  readonly button: string;
  /** Small print. */
  readonly closing: string;
}

type Words = { readonly [Kind in MailKind]: (content: Extract<MailContent, { kind: Kind }>) => MailWords };

const english: Words = {
  invitation: ({ organization, inviter, days }) => ({
    subject: `${inviter} invites you to ${organization}`,
    paragraphs: [
      "Hello,",
      `${inviter} invites you to work in ${organization} with Dossier. Choose a user name and a password, and you are in.`,
    ],
    button: "Accept the invitation",
    closing: `The invitation is yours alone and is good for ${days} days. If you did not expect it, you can ignore this message.`,
  }),
  "forgotten-password": ({ userName, minutes }) => ({
    subject: "Choose a new password",
    paragraphs: ["Hello,", `somebody, probably you, asked for a new password for the user name ${userName}.`],
    button: "Choose a new password",
    closing: `The link works once, for ${minutes} minutes. If it was not you, nothing needs to be done: your password stays as it is.`,
  }),
  "mail-confirmation": ({ userName, days }) => ({
    subject: "Confirm your e-mail address",
    paragraphs: ["Hello,", `please confirm that this e-mail address belongs to the user name ${userName}.`],
    button: "Confirm the address",
    closing: `The link works once, for ${days} days. If you did not sign up, you can ignore this message.`,
  }),
  mention: ({ by, record, text }) => ({
    subject: `${by} mentioned you: ${record}`,
    paragraphs: [`${by} mentioned you in a comment on ${record}:`, text],
    button: "Open the record",
    closing: "You receive this because somebody wrote your name.",
  }),
  workflow: ({ subject, text, record }) => ({
    subject,
    paragraphs: [text],
    button: record === "" ? "Open the record" : `Open ${record}`,
    closing: "You receive this because a record that concerns you moved on.",
  }),
};

const arabic: Words = {
  invitation: ({ organization, inviter, days }) => ({
    subject: `يدعوك ${inviter} إلى ${organization}`,
    paragraphs: [
      "مرحبًا،",
      `يدعوك ${inviter} إلى العمل في ${organization} باستخدام Dossier. اختر اسم مستخدم وكلمة مرور لتبدأ.`,
    ],
    button: "قبول الدعوة",
    closing: `هذه الدعوة لك وحدك وصالحة لمدة ${days} أيام. إذا لم تكن تتوقعها فيمكنك تجاهل هذه الرسالة.`,
  }),
  "forgotten-password": ({ userName, minutes }) => ({
    subject: "اختر كلمة مرور جديدة",
    paragraphs: ["مرحبًا،", `طلب شخص ما، ربما أنت، كلمة مرور جديدة لاسم المستخدم ${userName}.`],
    button: "اختيار كلمة مرور جديدة",
    closing: `يعمل الرابط مرة واحدة لمدة ${minutes} دقيقة. إذا لم تطلب ذلك فلا حاجة إلى فعل شيء: تبقى كلمة مرورك كما هي.`,
  }),
  "mail-confirmation": ({ userName, days }) => ({
    subject: "أكّد عنوان بريدك الإلكتروني",
    paragraphs: ["مرحبًا،", `يرجى تأكيد أن هذا العنوان يخص اسم المستخدم ${userName}.`],
    button: "تأكيد العنوان",
    closing: `يعمل الرابط مرة واحدة لمدة ${days} أيام. إذا لم تسجّل فيمكنك تجاهل هذه الرسالة.`,
  }),
  mention: ({ by, record, text }) => ({
    subject: `أشار إليك ${by}: ${record}`,
    paragraphs: [`أشار إليك ${by} في تعليق على ${record}:`, text],
    button: "فتح السجل",
    closing: "وصلتك هذه الرسالة لأن أحدهم كتب اسمك.",
  }),
  workflow: ({ subject, text, record }) => ({
    subject,
    paragraphs: [text],
    button: record === "" ? "فتح السجل" : `فتح ${record}`,
    closing: "وصلتك هذه الرسالة لأن سجلًا يخصك انتقل إلى مرحلة أخرى.",
  }),
};

export interface MailLanguage {
  readonly code: "en" | "ar";
  readonly direction: "ltr" | "rtl";
  readonly answers: { readonly yes: string; readonly no: string };
  wordsFor(content: MailContent): MailWords;
}

const language = (
  code: MailLanguage["code"],
  direction: MailLanguage["direction"],
  words: Words,
  answers: MailLanguage["answers"],
): MailLanguage => ({
  code,
  direction,
  answers,
  // The table has an entry for each kind that takes that kind's content; the compiler cannot tie the two together.
  wordsFor: (content) => (words[content.kind] as (given: MailContent) => MailWords)(content),
});

const spokenEnglish = language("en", "ltr", english, { yes: "Yes", no: "No" });
const languages: readonly MailLanguage[] = [spokenEnglish, language("ar", "rtl", arabic, { yes: "نعم", no: "لا" })];

/** The recipient's language where we speak it, else English. */
export const mailLanguage = (locale: string): MailLanguage =>
  languages.find(({ code }) => code === locale.toLowerCase().split(/[-_]/)[0]) ?? spokenEnglish;
