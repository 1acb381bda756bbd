import { expect, test } from "vitest";
import { proposedPrefix } from "./proposed-prefix.ts";

test.each([
  ["Asset", "A-"],
  ["Service contract", "SC-"],
  ["Bill of materials", "BO-"],
  ["Purchase-order line", "PO-"],
  ["Sales stage", "S-"],
  ["équipement", "É-"],
  ["资产", "资-"],
  ["", ""],
])("%s: %s", (label, prefix) => {
  expect(proposedPrefix(label)).toBe(prefix);
});
