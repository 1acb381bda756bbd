// What a job is called in the reader's language: what it does, to how many records of what; an import by its file. The title that the
// service keeps is in the language of whoever started it.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import i18next, { type TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Job } from "../../../client/records/jobs.ts";
import { formatsOf } from "../../../contract/formats.ts";
import { navigationQuery } from "../../queries.ts";

const kinds = ["edit", "delete", "restore", "add", "upsert", "move", "undo"] as const;

type Titled = Pick<Job, "title" | "kind" | "controller" | "total" | "isDryRun">;

export function jobTitle(queryClient: QueryClient, t: TFunction, job: Titled): string {
  const { title, kind, controller, total, isDryRun } = job;
  if (kind === "import") {
    const file = title.slice(title.indexOf(" ") + 1);
    return t(isDryRun ? "jobs.titles.check" : "jobs.titles.import", { file });
  }
  const known = kinds.find((one) => one === kind);
  const navigation = queryClient.getQueryData(navigationQuery.queryKey) ?? [];
  const type = navigation.flatMap(({ entries }) => entries).find(({ key }) => key === controller);
  if (known === undefined || type === undefined || total === 0) return title;
  const label = total === 1 ? type.singular : type.label;
  const count = formatsOf({ locale: i18next.language }).count(total);
  return t(`jobs.titles.${known}`, { total: count, type: label });
}

export function useJobTitle(): (job: Titled) => string {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return (job) => jobTitle(queryClient, t, job);
}
