import { expect, test } from "vitest";
import type { NavigationModule } from "../../../client/lists/navigation.ts";
import { typesInOrder } from "./types-in-order.ts";

const type = (key: string) => ({ key, module: key.split("/")[0] ?? "", module_label: "A module" });
const entry = (key: string, section: string) => ({ ...type(key), section });

test("what people work with comes first, as the navigation has it; administration comes last", () => {
  const navigation = [
    { name: "masters", label: "Reference data", entries: [entry("masters/currencies", "administration")] },
    {
      name: "crm",
      label: "Sales",
      entries: [entry("crm/types", "administration"), entry("crm/leads", "work"), entry("crm/companies", "work")],
    },
  ] as unknown as readonly NavigationModule[];
  const types = ["masters/currencies", "crm/types", "crm/companies", "crm/leads", "crm/lines", "plant/sites"].map(type);
  expect(typesInOrder(types, navigation).map(({ label, types: own }) => [label, own.map(({ key }) => key)])).toEqual([
    ["Sales", ["crm/leads", "crm/companies", "crm/lines"]],
    ["A module", ["plant/sites"]],
    [undefined, ["masters/currencies", "crm/types"]],
  ]);
});
