// Sessions as people can tell them apart: the program, where from, when last used; and the way to end one.
import { useTranslation } from "react-i18next";
import { FactsTable, RowAction } from "./layout/facts-table.tsx";
import table from "./layout/table.module.css";
import { Tag } from "./layout/tag.tsx";
import { Moment } from "./moment.tsx";

export interface ShownSession {
  readonly id: string;
  readonly person?: string;
  readonly program: string;
  readonly address: string;
  readonly lastUsed: string;
  readonly isCurrent: boolean;
}

/** `Firefox on Linux` says more than the whole signature. */
export function programName(signature: string): string {
  const browser = /Edg\/|OPR\/|Firefox\/|Chrome\/|Safari\//.exec(signature)?.[0];
  const names: Readonly<Record<string, string>> = {
    "Edg/": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
  };
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(signature)?.[0];
  const name = browser === undefined ? signature.split(/[ /]/)[0] || "–" : names[browser];
  return system === undefined ? (name ?? "–") : `${name} · ${system}`;
}

interface SessionTableProps {
  readonly sessions: readonly ShownSession[];
  readonly end: (id: string) => void;
  readonly ending: string | undefined;
}

export function SessionTable({ sessions, end, ending }: SessionTableProps) {
  const { t } = useTranslation();
  return (
    <FactsTable
      label={t("sessions.list")}
      columns={[t("sessions.program"), t("sessions.address"), t("sessions.last_used"), t("admin.actions")]}
    >
      {sessions.map((one) => (
        <tr key={one.id}>
          <th scope="row" title={one.program}>
            {one.person !== undefined && <div>{one.person}</div>}
            <span className={one.person === undefined ? undefined : table.mono}>{programName(one.program)}</span>
          </th>
          <td dir="ltr">{one.address}</td>
          <td data-label={t("sessions.last_used")}>
            <Moment text={one.lastUsed} none="–" />
          </td>
          <td>
            {one.isCurrent ? (
              <Tag tone="good">{t("sessions.current")}</Tag>
            ) : (
              <RowAction
                loading={ending === one.id}
                label={t("sessions.end_name", { name: one.person ?? programName(one.program) })}
                onClick={() => end(one.id)}
              >
                {t("sessions.end")}
              </RowAction>
            )}
          </td>
        </tr>
      ))}
    </FactsTable>
  );
}
