// Values of the history as the record's page writes them: by the type of their field, the reader's locale and time zone.
import { describe, expect, test } from "vitest";
import type { FormElement } from "../../../../client/records/records.ts";
import { formatsOf } from "../../../../contract/formats.ts";
import { changeText } from "./change-text.ts";

const formats = formatsOf({ locale: "de-DE", words: "de", hours: "24", timeZone: "Europe/Berlin" });
const words = { yes: "Ja", no: "Nein" };
const elementOf = (type: FormElement["type"], more: Partial<FormElement> = {}) =>
  ({ name: ["data", "leads", "field"], type, ...more }) as FormElement;
const said = (type: FormElement["type"], value: string, text = value, more?: Partial<FormElement>) =>
  changeText(elementOf(type, more), value, text, formats, words);

describe("a changed value", () => {
  test("is a moment where the reader is, not in UTC", () => {
    expect(said("date-time", "2026-11-19 14:35:09")).toBe("19.11.2026, 15:35");
  });

  test("is a day, a number or yes as the reader writes it", () => {
    expect(said("date", "2026-11-20")).toBe("20.11.2026");
    expect(said("integer", "1234567")).toBe("1.234.567");
    expect(said("money", "3800.0000")).toBe("3.800,00");
    expect(said("flag", "1", "Yes")).toBe("Ja");
  });

  test("is what the service calls a choice, several of them or another record", () => {
    expect(said("choice", "hot", "Hot", { options: [{ value: "hot", text: "Hot" }] })).toBe("Hot");
    expect(said("multiple-choice", "a;b", "Alpha, Beta")).toBe("Alpha, Beta");
    expect(said("reference", "8", "Jonas Weber")).toBe("Jonas Weber");
  });

  test("is what the service says where the form has no such field, and nothing where it was empty", () => {
    expect(changeText(undefined, "2026-11-20", "2026-11-20", formats, words)).toBe("2026-11-20");
    expect(changeText(elementOf("date"), null, null, formats, words)).toBeNull();
    expect(changeText(elementOf("date"), "", "", formats, words)).toBe("");
    expect(changeText(elementOf("address"), { city: "Kyiv" } as never, "Kyiv", formats, words)).toBe("Kyiv");
  });
});
