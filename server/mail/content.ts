// What a message can be about, as data: the outbox keeps this, and the words are found when it is sent.
// Links are addresses of ours (`/core/jobs/view?id=7`) or complete ones; the deliverer knows where the service stands.
import { z } from "zod";

const text = z.string();

export const mailContentSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("invitation"), organization: text, inviter: text, link: text, days: z.number() }),
  z.object({ kind: z.literal("forgotten-password"), userName: text, link: text, minutes: z.number() }),
  z.object({ kind: z.literal("mail-confirmation"), userName: text, link: text, days: z.number() }),
  z.object({ kind: z.literal("mention"), by: text, record: text, text, link: text }),
  /** `why`: in the reader's language already. */
  z.object({ kind: z.literal("webhook-off"), name: text, why: text, link: text }),
  /** Its words are the workflow designer's. */
  z.object({ kind: z.literal("workflow"), subject: text, text, record: text, link: text }),
]);

export type MailContent = Readonly<z.infer<typeof mailContentSchema>>;
export type MailKind = MailContent["kind"];
