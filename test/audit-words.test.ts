// Every event that the service can write has its words in every language.
import { expect, test } from "vitest";
import { auditEvents } from "../server/modules/access_controls/audit-events.ts";

const texts = import.meta.glob<Record<string, string>>("../web/texts/*/audit.ts", {
  eager: true,
  import: "audit_events",
});

test.each(Object.entries(texts))("every event has its words: %s", (_, words) => {
  expect(Object.keys(words).sort()).toEqual(Object.keys(auditEvents).sort());
  // Two events that read alike could not be told apart.
  expect(new Set(Object.values(words)).size).toBe(Object.keys(auditEvents).length);
});
