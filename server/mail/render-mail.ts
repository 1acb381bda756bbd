// Takes a message's content and its reader's language; gives subject, plain text and HTML. Pure; everything that people
// wrote is escaped, and no line break reaches a header.
import type { MailContent } from "./content.ts";
import { directionOf, inLanguage, mailLanguage, wordsFor } from "./words.ts";

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, 200);

const font = "font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif";

export function renderMail(content: MailContent, locale: string, publicUrl: string): RenderedMail {
  const language = mailLanguage(locale);
  const words = wordsFor(content);
  const [subject = "", button = "", closing = ""] = [words.subject, words.button, words.closing].map((text) =>
    inLanguage(text, language),
  );
  const paragraphs = words.paragraphs.map((text) => inLanguage(text, language));
  const link = new URL(content.link, publicUrl).href;
  const text = `${[...paragraphs, `${button}:\n${link}`, closing].join("\n\n")}\n`;
  const html = `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><title>${escaped(oneLine(subject))}</title></head>
<body style="margin:0;padding:32px 16px;background:#f4f5f7;color:#1f2430;${font};font-size:15px;line-height:1.55">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border:1px solid #e3e5ea;border-radius:8px">
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px;white-space:pre-line">${escaped(paragraph)}</p>`).join("\n")}
<p style="margin:24px 0"><a href="${escaped(link)}" style="display:inline-block;padding:10px 18px;background:#2f4fb5;color:#fff;border-radius:6px;text-decoration:none">${escaped(button)}</a></p>
<p style="margin:0;color:#5b6270;font-size:13px">${escaped(closing)}</p>
</div>
</body>
</html>
`;
  return { subject: oneLine(subject), text, html };
}
