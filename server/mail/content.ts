// What a message can be about, as data: the outbox keeps this, and the words are found when it is sent.
// Links are addresses of ours (`/core/jobs/view?id=7`) or complete ones; the deliverer knows where the service stands.

export type MailContent =
  | {
      readonly kind: "invitation";
      readonly organization: string;
      readonly inviter: string;
      readonly link: string;
      readonly days: number;
    }
  | { readonly kind: "forgotten-password"; readonly userName: string; readonly link: string; readonly minutes: number }
  | { readonly kind: "mail-confirmation"; readonly userName: string; readonly link: string; readonly days: number }
  | {
      readonly kind: "mention";
      readonly by: string;
      readonly record: string;
      readonly text: string;
      readonly link: string;
    }
  | {
      /** Its words are the workflow designer's. */
      readonly kind: "workflow";
      readonly subject: string;
      readonly text: string;
      readonly record: string;
      readonly link: string;
    };

export type MailKind = MailContent["kind"];
