// What the journeys through a record's page start from: a few leads, and the hands to type and save with.
import type { Page } from "playwright-core";
import { addRows } from "../http/people.ts";
import type { TestService } from "../service.ts";

/** One that is chosen from a list is a box with a list below it. */
export const field = (page: Page, name: string) =>
  page.getByRole("textbox", { name, exact: true }).or(page.getByRole("combobox", { name, exact: true }));
export const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();

/** On the page of a record, where they are folded away until one wants them. */
export const showEmpty = (page: Page) => page.getByRole("button", { name: /^Show \d+ empty fields?$/ }).click();

/** Tove Ash, Birch, Cedar, Elm, Fir and Hazel, who all sell timber; gives their ids. */
export const addLeads = (service: TestService): Promise<string[]> =>
  addRows(
    service,
    "crm/leads",
    ["Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel"].map((name) => ({
      first_name: "Tove",
      last_name: name,
      name: `Tove ${name}`,
      company_name: "Lindqvist Timber",
      status: "new",
      score: "40",
      amount: "2500.00",
      email: `${name.toLowerCase()}@timber.example`,
      website: "https://timber.example/",
    })),
  );
