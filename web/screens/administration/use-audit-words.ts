// The words for what the audit log holds, in the language that is chosen; undefined for what has none.
import { useTranslation } from "react-i18next";
import type { AuditDictionary } from "./audit-words.ts";

export interface AuditWords extends AuditDictionary {
  readonly event: (code: string) => string | undefined;
}

export function useAuditWords(): AuditWords {
  const { i18n } = useTranslation();
  // Names come from the log: a text that is not there must not be told by its key.
  const found = (key: string): string | undefined => {
    const text: unknown = i18n.exists(key) ? i18n.getResource(i18n.language, "translation", key) : undefined;
    return typeof text === "string" ? text : undefined;
  };
  return {
    event: (code) => found(`audit_events.${code}`),
    detail: (name) => found(`audit_details.${name}`),
    code: (name, code) => found(`audit_codes.${name}_${code}`),
  };
}
