// Takes the name of a file; gives the Content-Disposition header (RFC 6266) with both of its spellings: a plain one for
// every program, and the whole one with all its letters. Imports nothing of ours.

export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%/:*?<>|]/gu, "_");
  const whole = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
