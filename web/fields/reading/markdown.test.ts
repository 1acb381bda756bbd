import { expect, test } from "vitest";
import { readInline, readMarkdown, safeHref } from "./markdown.ts";

test("Markdown is read into its parts, and everything else stays text", () => {
  const blocks = readMarkdown(
    "# Title\n\nOne **two** *three* `four`\nfive\n\n- a\n- b\n\n1. c\n\n> said\n\n```\nx < y\n```\n---",
  );
  expect(blocks.map(({ kind }) => kind)).toEqual(["heading", "paragraph", "list", "list", "quote", "code", "rule"]);
  expect(readInline("a **b *c*** some_field_name \\*d\\*")).toEqual([
    { kind: "text", text: "a " },
    { kind: "strong", of: [{ kind: "text", text: "b *c" }] },
    { kind: "text", text: "* some_field_name *d*" },
  ]);
  expect(readInline('<img src=x onerror="alert(1)">')).toEqual([
    { kind: "text", text: '<img src=x onerror="alert(1)">' },
  ]);
});

test("lists within lists are indented and numbers go on", () => {
  const lists = readMarkdown("1. a\n   - [x] b\n   - [ ] c\n2. d");
  expect(lists).toEqual([
    { kind: "list", ordered: true, start: 1, depth: 0, items: [[{ kind: "text", text: "a" }]] },
    ...[["☑ b", "☐ c"]].map((texts) => ({
      ...{ kind: "list", ordered: false, start: 1, depth: 1 },
      items: texts.map((text) => [{ kind: "text", text }]),
    })),
    { kind: "list", ordered: true, start: 2, depth: 0, items: [[{ kind: "text", text: "d" }]] },
  ]);
});

test("an address by itself is a link, without what ends the sentence", () => {
  const link = (href: string) => ({ kind: "link", href, of: [{ kind: "text", text: href }] });
  expect(readInline("See https://example.com/a_b_c?x=1.")).toEqual([
    { kind: "text", text: "See " },
    link("https://example.com/a_b_c?x=1"),
    { kind: "text", text: "." },
  ]);
  const named = { kind: "link", href: "https://b.example", of: [{ kind: "text", text: "https://a.example" }] };
  expect(readInline("[https://a.example](https://b.example)")).toEqual([named]);
  expect(readInline("xhttps://a")).toEqual([{ kind: "text", text: "xhttps://a" }]);
});

test("only links that open a page, a mail or a call are links", () => {
  expect(readInline("[here](https://example.com/a)")).toEqual([
    { kind: "link", href: "https://example.com/a", of: [{ kind: "text", text: "here" }] },
  ]);
  for (const bad of [
    "javascript:alert(1)",
    "/\t/evil.example",
    " JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "//evil.example",
    "/\\evil",
    "vbscript:x",
    "java\nscript:x",
  ]) {
    expect(safeHref(bad)).toBeUndefined();
  }
  expect([safeHref("/crm/leads/index"), safeHref("mailto:a@b.example"), safeHref("tel:+1")]).not.toContain(undefined);
  expect(readInline("[x](javascript:alert(1))")).toEqual([{ kind: "text", text: "[x](javascript:alert(1))" }]);
});

test("texts that never close what they open are read once", () => {
  for (const piece of ["[", "**a ", "`", "*x", "[a](", "_a ", "> ", "https://", "http "]) {
    const long = piece.repeat(4_000);
    expect(JSON.stringify(readMarkdown(long)).length).toBeGreaterThan(long.length / 2);
  }
});
