import { describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import { prefersHtml } from "./accept.ts";
import { parsePath, parseRecordTypeKey, splitTarget } from "./path.ts";

const operation = { kind: "operation", module: "crm", controller: "leads", operation: "index" };

describe("addresses", () => {
  test.each([
    ["/crm/leads/index.json", { ...operation, json: true }],
    ["/crm/leads/index", { ...operation, json: false }],
    ["//crm///leads/index.json//", { ...operation, json: true }],
    ["/crm/l%65ads/index", { ...operation, json: false }],
    ["/edit_selected", { kind: "bare", operation: "edit_selected", json: false }],
    ["/delete_selected.json/", { kind: "bare", operation: "delete_selected", json: true }],
    ["/", { kind: "other", segments: [], json: false }],
    ["/crm/leads", { kind: "other", segments: ["crm", "leads"], json: false }],
    ["/CRM/leads/index", { kind: "other", segments: ["CRM", "leads", "index"], json: false }],
    ["/crm/leads/constructor", { kind: "other", segments: ["crm", "leads", "constructor"], json: false }],
    ["/__proto__/leads/index", { kind: "other", segments: ["__proto__", "leads", "index"], json: false }],
    ["/crm/leads/index.xml", { kind: "other", segments: ["crm", "leads", "index.xml"], json: false }],
    ["/crm/leads/view/7", { kind: "other", segments: ["crm", "leads", "view", "7"], json: false }],
    ["/crm/../index", { kind: "other", segments: ["crm", "..", "index"], json: false }],
    [`/crm/${"x".repeat(65)}/index`, { kind: "other", segments: ["crm", "x".repeat(65), "index"], json: false }],
  ])("%s", (path, address) => {
    expect(parsePath(path)).toEqual(address);
  });

  test.each(["/crm/%zz/index", "/%", "/crm/%C3/index", "/crm/a%2Fb/index", "/crm/a%00b/index", "/crm/a%5Cb/index"])(
    "%s is malformed",
    (path) => {
      expect(() => parsePath(path)).toThrow(expect.objectContaining({ code: "malformed_path", status: 400 }));
    },
  );

  test("are told apart from their query", () => {
    expect(splitTarget("/a/b?c=d?e")).toEqual({ path: "/a/b", query: "c=d?e" });
    expect(splitTarget("/a")).toEqual({ path: "/a", query: "" });
  });

  test("name a record type in a parameter", () => {
    expect(parseRecordTypeKey("crm/leads")).toEqual({ module: "crm", controller: "leads" });
    expect(parseRecordTypeKey("/crm/leads/")).toEqual({ module: "crm", controller: "leads" });
    for (const key of [undefined, "", "crm", "crm/leads/index", "CRM/leads", "crm/le ads"]) {
      expect(() => parseRecordTypeKey(key)).toThrow(Failure);
    }
  });
});

describe("what a sender would rather have", () => {
  test.each([
    [undefined, false],
    ["", false],
    ["*/*", false],
    ["application/json", false],
    ["text/html", true],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
    ["text/html, application/json", false],
    ["application/json;q=0.9, text/html", true],
    ["text/html;q=0.5, application/json;q=0.9", false],
    ["text/html;q=0, */*", false],
    ["text/*, application/json;q=0.1", true],
    ["text/plain, */*;q=0.1", false],
    ["text/html;q=nonsense", false],
    ["TEXT/HTML", true],
    ["application/json, text/plain, */*", false],
  ])("%s → page: %s", (accept, page) => {
    expect(prefersHtml(accept)).toBe(page);
  });
});
