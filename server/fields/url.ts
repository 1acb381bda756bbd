// The address of a web page: http or https and nothing else, so that a client can make it a link without fear.

import { z } from "zod";
import { fault } from "../../contract/messages.ts";
import { wordingOperators } from "./columns/operator-sets.ts";
import { singleColumn } from "./columns/single-column.ts";
import { inWords } from "./columns/word-search.ts";
import { accept, type FieldType, parseScalar, refuse } from "./field-type.ts";

const settings = z.strictObject({});

const expectation = fault("bad_url");
const longest = 2048;

/** What people type without a scheme must look like a host, or every word would be an address. */
function readUrl(sent: string): URL | undefined {
  // The URL parser silently drops tabs and line ends, within the scheme too.
  if (/[\p{Cc}\s]/u.test(sent) || !sent.isWellFormed()) return undefined;
  const written = /^[a-z][a-z0-9+.-]*:(?!\d)/iu.test(sent);
  if (!written && !/^[^/?#:]*\.[^/?#:]*/u.test(sent) && !/^localhost(?![^/?#:])/iu.test(sent)) return undefined;
  const text = written ? sent : `https://${sent}`;
  try {
    // Not URL.canParse: in Node 20 and 22 it denies valid non-ASCII addresses once its caller is hot enough to be optimized.
    return new URL(text);
  } catch {
    return undefined;
  }
}

export const url: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "url",
  label: "Web address",
  input: { template: "input", method: "url" },
  rules: () => [{ rule: "url", params: [], message: expectation }],
  findWord: inWords,
  value: "text",
  dataType: "VAR_STRING",
  settings,
  likeness: (value) => `lower(${value})`,
  sortable: true,
  searchable: true,
  operators: wordingOperators,
  columns: (field) => [{ name: field.name, type: "text" }],
  parse: (input) =>
    parseScalar(input, expectation, (sent) => {
      if (sent.length > longest) return refuse(fault("too_long", { max: longest }));
      const parsed = readUrl(sent);
      if (!parsed) return refuse(expectation);
      if (!/^https?:$/u.test(parsed.protocol)) return refuse(fault("bad_scheme"));
      if (parsed.username !== "" || parsed.password !== "") return refuse(fault("secret_in_url"));
      return parsed.href.length > longest ? refuse(fault("too_long", { max: longest })) : accept(parsed.href);
    }),
  examples: {
    settings: {},
    good: [
      { sent: "https://example.com/a?b=c#d", wire: "https://example.com/a?b=c#d" },
      { sent: " HTTP://Example.COM ", wire: "http://example.com/" },
      { sent: "example.com/path", wire: "https://example.com/path" },
      { sent: "example.com:8080", wire: "https://example.com:8080/" },
      { sent: "localhost:3000/x", wire: "https://localhost:3000/x" },
      { sent: "http://intranet/wiki", wire: "http://intranet/wiki" },
      { sent: "https://m\u00fcnchen.de/\u00fc", wire: "https://xn--mnchen-3ya.de/%C3%BC" },
    ],
    bad: [
      "javascript:alert(1)",
      "java\nscript:alert(1)",
      "javascript:1",
      "data:text/html,x",
      "mailto:ada@example.com",
      "ftp://example.com",
      "file:///etc/passwd",
      "https://",
      "https://user:secret@example.com",
      "hello",
      "/etc/hosts.allow",
      "two words.com",
      `https://example.com/${"a".repeat(2048)}`,
      `https://example.com/${"\u6f22".repeat(500)}`,
      ["https://example.com"],
      {},
    ],
  },
};
