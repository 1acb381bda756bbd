// Takes what a message is about; gives its sentences, of the one catalog: what stands above the button, on it, and below.
import { type Message, say } from "../../contract/messages.ts";
import { languageNames } from "../../contract/texts/languages.ts";
import { type Language, languageOf, write } from "../../contract/texts/write.ts";
import type { MailContent, MailKind } from "./content.ts";

/** A text that somebody wrote stands as it is. */
export type MailText = Message | { readonly written: string };

export interface MailWords {
  readonly subject: MailText;
  /** A line break within one stays a line break. */
  readonly paragraphs: readonly MailText[];
  readonly button: Message;
  /** Small print. */
  readonly closing: Message;
}

type Words = { readonly [Kind in MailKind]: (content: Extract<MailContent, { kind: Kind }>) => MailWords };

const openRecord = (record: string): Message =>
  record === "" ? say("mail_open_record") : say("mail_open", { record });

const words: Words = {
  invitation: ({ organization, inviter, days }) => ({
    subject: say("mail_invitation_subject", { inviter, organization }),
    paragraphs: [say("mail_hello"), say("mail_invitation", { inviter, organization })],
    button: say("mail_invitation_button"),
    closing: say("mail_invitation_closing", { days }),
  }),
  "forgotten-password": ({ userName, minutes }) => ({
    subject: say("mail_password_subject"),
    paragraphs: [say("mail_hello"), say("mail_password", { userName })],
    button: say("mail_password_button"),
    closing: say("mail_password_closing", { minutes }),
  }),
  "mail-confirmation": ({ userName, days }) => ({
    subject: say("mail_confirmation_subject"),
    paragraphs: [say("mail_hello"), say("mail_confirmation", { userName })],
    button: say("mail_confirmation_button"),
    closing: say("mail_confirmation_closing", { days }),
  }),
  mention: ({ by, record, text }) => ({
    subject: say("mail_mention_subject", { by, record }),
    paragraphs: [say("mail_mention", { by, record }), { written: text }],
    button: say("mail_open_record"),
    closing: say("mail_mention_closing"),
  }),
  "webhook-off": ({ name, why }) => ({
    subject: say("mail_webhook_subject", { name }),
    paragraphs: [say("mail_hello"), say("mail_webhook", { name }), { written: why }],
    button: say("mail_webhook_button"),
    closing: say("mail_webhook_closing"),
  }),
  workflow: ({ subject, text, record }) => ({
    subject: { written: subject },
    paragraphs: [{ written: text }],
    button: openRecord(record),
    closing: say("mail_workflow_closing"),
  }),
};

// The table has an entry for each kind that takes that kind's content; the compiler cannot tie the two together.
export const wordsFor = (content: MailContent): MailWords =>
  (words[content.kind] as (given: MailContent) => MailWords)(content);

export const inLanguage = (text: MailText, language: Language): string =>
  "written" in text ? text.written : write(text, language);

/** The recipient's language where we speak it, else English. */
export const mailLanguage = (locale: string): Language => languageOf(locale) ?? "en";

export const directionOf = (language: Language): "ltr" | "rtl" => languageNames[language].direction;
