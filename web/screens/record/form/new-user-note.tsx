// On the form of a new user: says how that person will sign in, before anything is saved.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { WireRecord } from "../../../../client/records/records.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { ownOrganizationQuery } from "../../../queries.ts";
import { isRemoved, rowsOf } from "./child-rows.ts";
import type { Changes } from "./use-draft.ts";

const USERS = "access_controls/users";

interface NewUserNoteProps {
  readonly recordTypeKey: string;
  readonly isNew: boolean;
  readonly record: WireRecord;
  readonly changes: Changes;
}

export const NewUserNote = ({ recordTypeKey, isNew, record, changes }: NewUserNoteProps) =>
  recordTypeKey === USERS && isNew ? <Words email={mailedTo(record, changes)} /> : null;

function Words({ email }: { readonly email: string }) {
  const { t } = useTranslation();
  const { data: areFiles = false } = useQuery({ ...ownOrganizationQuery, select: (own) => own.mailsAreFiles });
  const way = email === "" ? "by_link" : areFiles ? "by_file" : "by_mail";
  return (
    <Notice tone="news" title={t("new_user.title")}>
      {t(`new_user.${way}`, { email })}
    </Notice>
  );
}

/** The primary address, else the first one. */
function mailedTo(record: WireRecord, { email_addresses: changed }: Changes): string {
  const rows = Array.isArray(changed?.value) ? changed.value : rowsOf(record, "email_addresses");
  const filled = rows.filter((row) => !isRemoved(row) && typeof row.email === "string" && row.email.trim() !== "");
  const row = filled.find(({ is_primary }) => is_primary === "1") ?? filled[0];
  return String(row?.email ?? "").trim();
}
