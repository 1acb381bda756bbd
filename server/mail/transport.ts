// Takes SMTP_URL, or without one a folder; gives the way in which a message leaves: over SMTP, or as an .eml file that a
// person can open. Never says what a message holds.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";

export interface Departure {
  readonly outcome: "sent" | "written";
  /** Where the file is. */
  readonly file?: string;
}

export interface MailTransport {
  send(id: string, kind: string, message: SendMailOptions): Promise<Departure>;
  close(): void;
}

/** A hanging server must not hold a message for longer than its lease. */
const patience = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

const guarded = { disableFileAccess: true, disableUrlAccess: true };

export function smtpTransport(url: string): MailTransport {
  const transport = createTransport({ url, ...patience, ...guarded });
  return {
    send: async (_id, _kind, message) => {
      await transport.sendMail(message);
      return { outcome: "sent" };
    },
    close: () => transport.close(),
  };
}

export function folderTransport(folder: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows", ...guarded });
  return {
    send: async (id, kind, message) => {
      const { message: bytes } = await transport.sendMail(message);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, `${id}-${kind}.eml`);
      await writeFile(file, bytes as Buffer, { mode: 0o600 }); // `buffer: true` makes it one
      return { outcome: "written", file };
    },
    close: () => transport.close(),
  };
}

/** The server took a look at this very message or address and will not have it: trying again would not help. */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error) || !("responseCode" in error)) return false;
  const command = "command" in error ? String(error.command) : "";
  return Number(error.responseCode) >= 500 && /^(RCPT TO|DATA|MAIL FROM)/.test(command);
}
