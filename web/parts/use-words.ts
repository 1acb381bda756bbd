// Gives what a label that is a value of a record (the name of a list view, of a stage) is called in the reader's language.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { labelsQuery } from "../queries.ts";

export function useWords(): (label: string) => string {
  const { i18n } = useTranslation();
  const { data } = useQuery(labelsQuery(i18n.language));
  return (label) => data?.get(label) ?? label;
}
