// Takes everything that ships; expects each of its labels in every language, and none that mean two things at one place.
import { beforeAll, expect, test } from "vitest";
import { humanize } from "../../contract/labels.ts";
import type { RecordTypeDefinition } from "../../contract/record-type.ts";
import { languageNames, languages } from "../../contract/texts/languages.ts";
import { actionsOf } from "../forms/actions.ts";
import { generateForm } from "../forms/generate-form.ts";
import { shippedLabels } from "../labels/shipped-labels.ts";
import { buildSnapshot } from "../metadata/snapshot.ts";
import { standardCategories } from "../modules/core/views/view-definition.ts";
import { modulesOf } from "../modules/development_base/menu-data.ts";
import { builtInTypes } from "../modules/index.ts";
import { standardForms } from "../seed/standard-forms.ts";
import { shippedViews } from "../seed/standard-views.ts";
import { standardWorkflows } from "../seed/standard-workflows.ts";
import type { Design } from "./design.ts";
import { readStarter, starterNames } from "./starters.ts";

/** Names that are the same in every language. */
const untranslated = new Set<string>(Object.values(languageNames).map(({ name }) => name));

/** Texts under these keys are what people read; the rest are names and conditions. */
function texts(value: unknown, keys: ReadonlySet<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => texts(one, keys));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    typeof one === "string" && keys.has(key) ? [one] : texts(one, keys),
  );
}

let templates: readonly Design[] = [];
beforeAll(async () => {
  templates = (await Promise.all((await starterNames()).map(readStarter))).filter((one) => one !== undefined);
});

/** Every label of a template, its own name among them. */
function ofTemplate({ name, description, items }: Design): string[] {
  const documents = (wanted: string) =>
    items.filter(({ kind }) => kind === wanted).map(({ content }) => content as unknown as Record<string, unknown>);
  const types = documents("record_types") as unknown as RecordTypeDefinition[];
  return [
    name,
    description,
    ...types.flatMap(({ module, label, plural, fields, associations = [], rules = [] }) => [
      ...[humanize(module), label, plural, ...rules.map(({ message }) => message)],
      ...fields.flatMap((field) => [
        field.label ?? humanize(field.name),
        ...(field.help === undefined ? [] : [field.help]),
        ...texts(field.settings, new Set(["label"])),
      ]),
      ...associations.map((one) => one.label ?? humanize(one.name)),
    ]),
    ...texts(documents("forms"), new Set(["name", "section", "tab", "label", "help"])),
    ...documents("views").map((view) => String(view.name)),
    ...documents("workflows").flatMap(({ definition }) => [
      ...texts((definition as { stages: unknown }).stages, new Set(["name"])),
      ...texts((definition as { transitions: unknown }).transitions, new Set(["label"])),
    ]),
    ...documents("roles").flatMap((role) => [String(role.name), String(role.description)]),
  ];
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
    ...texts(generateForm(type), new Set(["section"])),
  ]);
  // The label of a chart is the field it reads.
  const ofRecords = [
    ...shippedViews.flatMap(({ view }) => [
      view.name,
      ...texts({ ...view.query, chart: undefined }, new Set(["label"])),
    ]),
    ...actionsOf("edit").map(({ label }) => label),
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
  return [...new Set([...ofTypes, ...ofRecords, ...templates.flatMap(ofTemplate)])]
    .filter((label) => !untranslated.has(label))
    .sort();
}

test.each(languages.filter((language) => language !== "en"))(
  "every label that ships is there in %s, and no other",
  (language) => {
    expect([...shippedLabels(language).keys()].sort()).toEqual(shipped());
  },
);

/** Labels that stand side by side, where a reader (or a file that is imported) tells one from the other. */
function sideBySide(): (readonly [place: string, labels: readonly string[]])[] {
  const types = [...buildSnapshot(builtInTypes, [], "test").types];
  return [
    ["record types", types.map(([, { plural }]) => plural)],
    ...types.map(([key, { fields }]) => [key, fields.map(({ label }) => label)] as const),
    ...types.flatMap(([key, { fields }]) =>
      fields.map(({ name, settings }) => [`${key}.${name}`, texts(settings, new Set(["label"]))] as const),
    ),
    ...standardWorkflows.flatMap(({ name, definition: { stages, transitions } }) => [
      [`stages of ${name}`, stages.map((stage) => stage.name)] as const,
      [`transitions of ${name}`, transitions.map(({ label }) => label)] as const,
    ]),
    ...types.map(
      ([key]) =>
        [
          `views of ${key}`,
          shippedViews.filter(({ controller }) => controller === key).map(({ view }) => view.name),
        ] as const,
    ),
  ];
}

test.each(languages.filter((language) => language !== "en"))(
  "labels that differ in English differ in %s where they stand side by side",
  (language) => {
    const words = shippedLabels(language);
    const same = sideBySide().flatMap(([place, labels]) => {
      const told = new Map<string, string>();
      return labels.flatMap((label) => {
        const said = words.get(label) ?? label;
        const other = told.get(said) ?? label;
        told.set(said, other);
        return other === label ? [] : [`${place}: ${other} and ${label} are both ${said}`];
      });
    });
    expect(same).toEqual([]);
  },
);
