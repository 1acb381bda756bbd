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
  for (const piece of ["[", "**a ", "`", "*x", "[a](", "_a ", "> "]) {
    const long = piece.repeat(4_000);
    expect(JSON.stringify(readMarkdown(long)).length).toBeGreaterThan(long.length / 2);
  }
});
