import { expect, test } from "vitest";
import { languages } from "../../contract/texts/languages.ts";
import { shippedLabels } from "../labels/shipped-labels.ts";
import { buildSnapshot } from "../metadata/snapshot.ts";
import { standardCategories } from "../modules/core/views/view-definition.ts";
import { modulesOf } from "../modules/development_base/menu-data.ts";
import { builtInTypes } from "../modules/index.ts";
import { standardForms } from "./standard-forms.ts";
import { shippedViews } from "./standard-views.ts";
import { standardWorkflows } from "./standard-workflows.ts";

/** Names that are the same in every language. */
const untranslated = new Set(Object.entries({ en: "English", ar: "العربية" }).map(([, name]) => name));

/** Texts under these keys are what people read; the rest are names and conditions. */
function texts(value: unknown, keys: ReadonlySet<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => texts(one, keys));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    typeof one === "string" && keys.has(key) ? [one] : texts(one, keys),
  );
}

/** Every label that ships: of record types, fields, options, associations, views, forms, workflows and modules. */
function shipped(): string[] {
  const snapshot = buildSnapshot(builtInTypes, [], "test");
  const ofTypes = [...snapshot.types.values()].flatMap((type) => [
    type.label,
    type.plural,
    ...type.fields.flatMap(({ label, help, settings }) => [
      label,
      ...(help === undefined ? [] : [help]),
      ...texts(settings, new Set(["label"])),
    ]),
    ...type.associations.map(({ label }) => label),
  ]);
  const ofRecords = [
    ...shippedViews.flatMap(({ view }) => [view.name, ...texts(view.query, new Set(["label"]))]),
    ...texts(standardForms, new Set(["section", "tab", "label", "help"])),
    ...texts(
      standardWorkflows.map(({ name, definition: { stages, transitions } }) => ({
        name,
        stages,
        transitions: transitions.map(({ label }) => ({ label })),
      })),
      new Set(["name", "label"]),
    ),
    ...standardCategories,
    ...modulesOf(snapshot).map(({ label }) => label),
  ];
  return [...new Set([...ofTypes, ...ofRecords])].filter((label) => !untranslated.has(label)).sort();
}

test.each(languages.filter((language) => language !== "en"))(
  "every label that ships is there in %s, and no other",
  (language) => {
    expect([...shippedLabels(language).keys()].sort()).toEqual(shipped());
  },
);
