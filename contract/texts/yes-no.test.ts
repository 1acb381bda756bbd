// Yes and no as spreadsheets have them.
import { expect, test } from "vitest";
import { say } from "../messages.ts";
import { languages } from "./languages.ts";
import { write } from "./write.ts";
import { noes, readYesNo, yeses } from "./yes-no.ts";

test.each(languages)("reads the words of %s", (language) => {
  expect(readYesNo(write(say("mail_yes"), language))).toBe("1");
  expect(readYesNo(write(say("mail_no"), language))).toBe("0");
});

test("reads no word as both, and others as neither", () => {
  expect(yeses.filter((word) => noes.includes(word))).toEqual([]);
  expect(readYesNo(" X ")).toBe("1");
  expect(readYesNo("maybe")).toBeUndefined();
  expect(readYesNo("")).toBeUndefined();
});
