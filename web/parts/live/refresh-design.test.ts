import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { refreshDesign } from "./refresh-design.ts";

test("a record type that changed is read again with its lists and records; one that did not keeps its lists", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });
  let options = [{ value: "sn_1", label: "sn_1" }];
  const asked: string[] = [];
  const show = async (queryKey: readonly unknown[], read: () => unknown = () => null) => {
    const queryFn = () => {
      asked.push(queryKey.join(" "));
      return structuredClone(read());
    };
    const observer = new QueryObserver(client, { queryKey, queryFn });
    observer.subscribe(() => undefined);
    await client.fetchQuery({ queryKey, queryFn });
  };
  await show(["schema", "crm/assets"], () => ({ fields: [{ name: "serial", options }] }));
  await show(["schema", "crm/leads"], () => ({ fields: [] }));
  for (const key of ["crm/assets", "crm/leads"]) {
    await show(["list", key, 1]);
    await show(["record", key, "1", "view"]);
    await show(["record", key, "1", "edit"]);
  }
  client.setQueryData(["list", "crm/leads", 2], {});
  await show(["design", "definition", "crm/assets"]);
  asked.length = 0;

  await refreshDesign(client);
  expect(asked).toEqual(["schema crm/assets", "schema crm/leads"]);
  expect(client.getQueryState(["list", "crm/leads", 1])?.isInvalidated).toBe(false);
  expect(client.getQueryState(["list", "crm/leads", 2])?.isInvalidated).toBe(true);
  asked.length = 0;
  options = [{ value: "sn_1", label: "SN-1" }];
  await refreshDesign(client);
  expect(asked).toEqual(["schema crm/assets", "schema crm/leads", "list crm/assets 1", "record crm/assets 1 view"]);
  client.clear();
});
