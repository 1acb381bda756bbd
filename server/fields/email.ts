// An e-mail address of the kind that mail servers deliver to: no quoted names, no comments, no bare hosts.

import { domainToASCII } from "node:url";
import { z } from "zod";
import { fault } from "../../contract/messages.ts";
import { wireRule } from "../../contract/rules.ts";
import { peoplesCollation, textFault } from "./columns/plain-text.ts";
import { singleColumn } from "./columns/single-column.ts";
import { inWords } from "./columns/word-search.ts";
import { accept, type FieldType, operators, parseScalar, refuse } from "./field-type.ts";

const settings = z.strictObject({});

const expectation = fault("bad_email");
const mailbox = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;

function deliverable(domain: string): boolean {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return false;
  const labels = domainToASCII(domain).split(".");
  return labels.length > 1 && labels.every((label) => hostLabel.test(label)) && /[a-z]/u.test(labels.at(-1) ?? "");
}

export const email: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "email",
  label: "Email address",
  input: { template: "input", method: "email" },
  // 274 is the number by which clients of this interface know the rule.
  rules: () => [{ rule: wireRule.email, params: [274], message: expectation }],
  findWord: inWords,
  isMailAddress: true,
  value: "text",
  dataType: "VAR_STRING",
  settings,
  likeness: (value) => `lower(${value})`,
  sortable: true,
  searchable: true,
  operators,
  columns: (field) => [{ name: field.name, type: "text", collation: peoplesCollation }],
  parse: (input) =>
    parseScalar(input, expectation, (sent) => {
      // 254: what fits into the path of SMTP (RFC 5321, 4.5.3.1.3).
      if (sent.length > 254) return refuse(fault("too_long", { max: 254 }));
      const [name = "", domain = "", ...more] = sent.normalize("NFC").split("@");
      const host = domain.toLowerCase();
      if (more.length > 0 || name.length > 64 || !mailbox.test(name) || !deliverable(host)) return refuse(expectation);
      const address = `${name}@${host}`;
      const wrong = textFault(address, 254);
      return wrong === undefined ? accept(address) : refuse(wrong);
    }),
  examples: {
    settings: {},
    good: [
      { sent: "ada@example.com", wire: "ada@example.com" },
      { sent: " Ada.Lovelace+mail@Mail.EXAMPLE.co.uk ", wire: "Ada.Lovelace+mail@mail.example.co.uk" },
      { sent: "info@M\u00dcNCHEN.de", wire: "info@m\u00fcnchen.de" },
      { sent: "o'brien@xn--mnchen-3ya.de", wire: "o'brien@xn--mnchen-3ya.de" },
    ],
    bad: [
      "ada",
      "@example.com",
      "ada@",
      "ada@localhost",
      "ada@127.0.0.1",
      "ada@@example.com",
      "a@b@example.com",
      "ada love@example.com",
      ".ada@example.com",
      "ada.@example.com",
      "a..b@example.com",
      "ada@.example.com",
      "ada@example.com.",
      "ada@-example.com",
      "ada@exam_ple.com",
      "Ada <ada@example.com>",
      `${"a".repeat(65)}@example.com`,
      `a@${"b.".repeat(130)}com`,
      "a\u0000@example.com",
      42,
      ["ada@example.com"],
      {},
    ],
  },
};
