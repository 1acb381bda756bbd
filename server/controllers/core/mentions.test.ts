import fc from "fast-check";
import { expect, test } from "vitest";
import { mentionedNames } from "./mentions.ts";

test.each([
  ["@ada please look", ["ada"]],
  ["(@Ada.Lovelace) and @alan-t", ["ada.lovelace", "alan-t"]],
  ["Ask @ada.", ["ada.", "ada"]],
  ["ada@example.com is no mention", []],
  ["@me@example.com can be a user's name", ["me@example.com"]],
  ["@ab is too short, @@ada is none", ["@ada"]],
  ["@ada @ADA", ["ada"]],
  ["nobody", []],
])("%s mentions %j", (body, names) => {
  expect(mentionedNames(body)).toEqual(names);
});

test("any text is read without trouble, and a mentioned user is always found", () => {
  const letters = fc.constantFrom(..."abcXYZ019");
  const name = fc.string({ unit: letters, minLength: 3, maxLength: 20 });
  fc.assert(
    fc.property(fc.string(), name, (text, user) => {
      expect(mentionedNames(`${text} @${user}, ${text}`)).toContain(user.toLowerCase());
    }),
  );
});
