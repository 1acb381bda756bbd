// What is said below the uses that a design affects.
import { MantineProvider } from "@mantine/core";
import i18next from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { beforeAll, expect, test } from "vitest";
import type { AffectedUse, DesignPlan } from "../../../../client/design/moving.ts";
import * as texts from "../../../texts/en/design.ts";
import { AffectedUses } from "./affected-uses.tsx";

// Others in the same process have one of their own.
const english = i18next.createInstance();
beforeAll(() => english.init({ lng: "en", resources: { en: { translation: texts } } }));

const use: AffectedUse = {
  ...{ type: "crm/leads", field: "x_size", becomes: "left_out", loses: [] },
  ...{ kind: "view", controller: "crm/leads", id: null, name: "Large" },
};
const said = (told: Partial<DesignPlan>): string => {
  const plan: DesignPlan = { items: [], losses: [], missing: [], fingerprint: "", uses: [use], ...told };
  const page = renderToStaticMarkup(
    <I18nextProvider i18n={english}>
      <MantineProvider>
        <AffectedUses plan={plan} />
      </MantineProvider>
    </I18nextProvider>,
  );
  const [, section = ""] = page.split("<section");
  return section.replace(/<[^<>]*>/g, " ");
};

test("a list of uses says when it is not complete, and how many it leaves out", () => {
  expect(said({ uses_complete: 1 })).toMatch(/x_size.*Large/);
  expect(said({ uses_complete: 1 })).not.toMatch(/not listed|Not everything/);
  expect(said({ uses_complete: 0 })).toContain("Not everything was checked, so other uses may be affected too.");
  expect(said({ uses_complete: 0, uses_left_out: 1 })).toContain("1 more affected use is not listed.");
  expect(said({ uses_complete: 0, uses_left_out: 3 })).toContain("3 more affected uses are not listed.");
});

test("without uses it says nothing, unless not everything was checked", () => {
  expect(said({ uses: [], uses_complete: 1 })).toBe("");
  expect(said({ uses: [] })).toBe("");
  expect(said({ uses: [], uses_complete: 0 })).toContain("Not everything was checked");
});
