// Every event that the service can write has its words in both languages.
import { expect, test } from "vitest";
import { auditEvents } from "../server/modules/access_controls/audit-events.ts";
import * as ar from "../web/texts/ar/audit.ts";
import * as en from "../web/texts/en/audit.ts";

const languages = { en, ar };

test.each(Object.entries(languages))("every event has its words: %s", (_, { audit_events: words }) => {
  expect(Object.keys(words).sort()).toEqual(Object.keys(auditEvents).sort());
  // Two events that read alike could not be told apart.
  expect(new Set(Object.values(words)).size).toBe(Object.keys(auditEvents).length);
});
