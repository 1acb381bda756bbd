// Starts a real SMTP server in a process of its own and gives what it received; reads the files that stand in for one.
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { root } from "../../server/lib/root.ts";

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly headers: string;
  /** The plain text, decoded. */
  readonly text: string;
  readonly html: string;
}

export interface MailServer {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** The first message that fits, now or later. */
  next(fits: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

function decodePart(raw: string, type: string): string {
  const start = raw.search(new RegExp(`content-type: ${type}`, "i"));
  if (start === -1) return "";
  const [head = "", ...rest] = raw.slice(start).split("\r\n\r\n");
  const body = (rest.join("\r\n\r\n").split(/\r\n--/)[0] ?? "").trim();
  if (/base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

const parsed = (to: readonly string[], raw: string): ReceivedMail => ({
  to,
  headers: raw.split("\r\n\r\n")[0] ?? "",
  text: decodePart(raw, "text/plain"),
  html: decodePart(raw, "text/html"),
});

export async function startMailServer(refusals = 0): Promise<MailServer> {
  const script = path.join(root, "test/mail/smtp-process.mjs");
  const child: ChildProcess = spawn(process.execPath, [script, String(refusals)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const received: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const port = await new Promise<number>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the mail server ended with ${code}`)));
    if (!child.stdout) return reject(new Error("the mail server says nothing"));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const said = JSON.parse(line);
      if (said.port !== undefined) return resolve(said.port);
      received.push(parsed(said.to, said.raw));
      for (const look of [...waiting]) look();
    });
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    next: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = received.find(fits);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGTERM");
      }),
  };
}

/** The messages that a service without SMTP_URL has written. */
export function writtenMails(dataDir: string): (ReceivedMail & { readonly file: string })[] {
  const folder = path.join(dataDir, "mail");
  let names: string[] = [];
  try {
    names = readdirSync(folder).sort();
  } catch {
    return [];
  }
  return names.map((name) => {
    const raw = readFileSync(path.join(folder, name), "utf8");
    const to = /^To: (.*)$/im.exec(raw)?.[1]?.trim() ?? "";
    return { ...parsed([to], raw), file: path.join(folder, name) };
  });
}
