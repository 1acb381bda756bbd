import { describe, expect, test } from "vitest";
import { elementName } from "../../contract/form-definition.ts";
import { checkForm } from "../forms/check-form.ts";
import { sectionsOf } from "../forms/form-definition.ts";
import { generateForm, withOthers } from "../forms/generate-form.ts";
import { extend } from "../metadata/extension.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { standardForms } from "./standard-forms.ts";

const keyOf = ({ module, controller }: { module: string; controller: string }) => `${module}/${controller}`;

/** Every shipped type with a field and a related list of the organization's own. */
const extended = builtInTypes.map((definition) =>
  standardForms.some(({ controller }) => controller === keyOf(definition))
    ? extend(definition, {
        extends: keyOf(definition),
        fields: [
          { name: "x_size", type: "integer" },
          { name: "x_above", type: "reference", settings: { to: keyOf(definition) } },
        ],
        changed: {},
        associations: [{ kind: "has-many", name: "x_below", type: keyOf(definition), via: "x_above" }],
        unique: [],
      })
    : definition,
);

describe.each(standardForms)("the shipped form of $controller", ({ controller, definition }) => {
  const snapshot = buildSnapshot(extended, [], "test");
  const type = requireType(snapshot, controller);
  const named = (form: typeof definition) => sectionsOf(form).flatMap(({ elements }) => elements.map(elementName));

  test("fits its record type", () => {
    expect(checkForm(JSON.stringify(definition), type, snapshot)).toMatchObject({ ok: true });
  });

  test("shows everything that the generated one shows, each once, also what people added", () => {
    const shown = named(withOthers(definition, type));
    expect(shown.toSorted()).toEqual(named(generateForm(type)).toSorted());
    const others = sectionsOf(withOthers(definition, type)).find((section) => section.others);
    expect(others?.elements.map(elementName)).toEqual(["x_size", "x_above", "x_below"]);
  });
});
