import { describe, expect, test } from "vitest";
import { type FieldTypeId, fieldTypeIds } from "../../../../contract/field-types.ts";
import { design as arabic } from "../../../texts/ar/design.ts";
import { inside as insideArabic } from "../../../texts/ar/inside.ts";
import { design as german } from "../../../texts/de/design.ts";
import { inside as insideGerman } from "../../../texts/de/inside.ts";
import { design as english } from "../../../texts/en/design.ts";
import { inside as insideEnglish } from "../../../texts/en/inside.ts";
import { design as spanish } from "../../../texts/es/design.ts";
import { inside as insideSpanish } from "../../../texts/es/inside.ts";
import { design as french } from "../../../texts/fr/design.ts";
import { inside as insideFrench } from "../../../texts/fr/inside.ts";
import { design as chinese } from "../../../texts/zh/design.ts";
import { inside as insideChinese } from "../../../texts/zh/inside.ts";
import { findTypes } from "./find-types.ts";

interface Texts {
  readonly inside: { readonly field_types: Readonly<Record<FieldTypeId, string>> };
  readonly design: Readonly<Record<"type_words" | "types", Readonly<Record<FieldTypeId, string>>>>;
}

const languages = {
  en: { inside: insideEnglish, design: english },
  de: { inside: insideGerman, design: german },
  fr: { inside: insideFrench, design: french },
  es: { inside: insideSpanish, design: spanish },
  zh: { inside: insideChinese, design: chinese },
  ar: { inside: insideArabic, design: arabic },
} as const satisfies Readonly<Record<string, Texts>>;

type Language = keyof typeof languages;

const find = (language: Language, text: string) => {
  const { inside, design }: Texts = languages[language];
  return findTypes(text, fieldTypeIds, (id) => ({
    name: inside.field_types[id],
    words: design.type_words[id],
    lead: design.types[id],
  }));
};

/** What is taken first, by what somebody types. */
const firsts: Readonly<Record<Language, Readonly<Record<string, FieldTypeId>>>> = {
  en: {
    ...{ "short text": "short-text", text: "short-text", "Single line": "short-text", code: "short-text" },
    ...{ paragraph: "long-text", notes: "long-text", note: "long-text", number: "integer", quantity: "integer" },
    ...{ dropdown: "choice", "drop-down": "choice", select: "choice", priority: "choice" },
    ...{ "multi select": "multiple-choice", tags: "multiple-choice", tag: "multiple-choice", label: "multiple-choice" },
    ...{ checkbox: "flag", "yes/no": "flag", boolean: "flag" },
    ...{ money: "money", currency: "money", price: "money", amount: "money", discount: "percent" },
    ...{ person: "reference", user: "reference", "link to record": "reference", link: "reference" },
    ...{ website: "url", attachment: "file", document: "file", address: "address", "zip code": "address" },
    ...{ "auto number": "auto-number", autonumber: "auto-number", id: "auto-number", map: "geo-point" },
    ...{ date: "date", due: "date", year: "date", time: "date-time", photo: "image", email: "email" },
  },
  de: {
    ...{ Zahl: "integer", Nummer: "integer", Betrag: "money", wahrung: "money", Geld: "money", Preis: "money" },
    ...{ strasse: "address", Straße: "address", STRASSE: "address", Ort: "address", Adresse: "address" },
    ...{ Tag: "date", Jahr: "date", Uhr: "date-time", Tags: "multiple-choice", Haken: "flag", Code: "short-text" },
    ...{ Notiz: "long-text", Foto: "image", Anhang: "file", email: "email", "e-mail": "email", id: "auto-number" },
    ...{ Person: "reference", Dropdown: "choice", Karte: "geo-point" },
  },
  fr: {
    ...{
      id: "auto-number",
      montant: "money",
      prix: "money",
      adresse: "address",
      rue: "address",
      tag: "multiple-choice",
    },
    ...{
      annee: "date",
      heure: "date-time",
      numéro: "integer",
      nombre: "integer",
      notes: "long-text",
      code: "short-text",
    },
    ...{ case: "flag", personne: "reference", email: "email", photo: "image", liste: "choice", site: "url" },
  },
  es: {
    ...{ id: "auto-number", año: "date", hora: "date-time", importe: "money", precio: "money", dirección: "address" },
    ...{ etiqueta: "multiple-choice", nota: "long-text", código: "short-text", casilla: "flag", numero: "integer" },
    ...{ persona: "reference", correo: "email", foto: "image", lista: "choice", unidades: "integer", calle: "address" },
  },
  zh: {
    ...{ 文本: "short-text", 数字: "integer", 价格: "money", 钱: "money", 标签: "multiple-choice", 下拉: "choice" },
    ...{ 时间: "date-time", 日期: "date", 年: "date", 号码: "phone", 照片: "image", 附件: "file", 地址: "address" },
    ...{ 用户: "reference", 编号: "auto-number", "是/否": "flag", id: "auto-number" },
  },
  ar: {
    ...{ رقم: "integer", سعر: "money", السعر: "money", عنوان: "address", العنوان: "address", وقت: "date-time" },
    ...{ الهاتف: "phone", سنة: "date", وسوم: "multiple-choice", صورة: "image", الصورة: "image", مستخدم: "reference" },
    ...{ ملاحظات: "long-text", قائمة: "choice", معرف: "auto-number", id: "auto-number", خريطة: "geo-point" },
  },
};

describe.each(Object.entries(firsts))("%s", (language, words) => {
  test.each(Object.entries(words))("%s means %s first", (text, type) => {
    expect(find(language as Language, text)[0]).toBe(type);
  });
});

test("a few letters within another word mean nothing; a part of a longer word is found last", () => {
  expect(find("en", "age")).toEqual([]);
  expect(find("en", "tag")).toEqual(["multiple-choice"]);
  expect(find("fr", "id")).toEqual(["auto-number"]);
  expect(find("es", "id")).toEqual(["auto-number"]);
  expect(find("es", "ano")).toEqual(["date"]);
  expect(find("de", "betrag")).toEqual(["money"]);
  expect(find("de", "zeile")).toEqual(["short-text", "long-text"]);
  expect(find("de", "zeilig")).toEqual(["short-text", "long-text"]);
});

test("every type that is called so is offered, and nonsense finds nothing", () => {
  expect(find("en", "dropdown")).toEqual(["choice", "multiple-choice"]);
  expect(find("de", "anhang")).toEqual(["file"]);
  expect(find("en", "one option from a list")).toEqual(["choice"]);
  expect(find("de", "qqq")).toEqual([]);
  expect(find("de", "")).toEqual(fieldTypeIds);
});
