// The audit log as people read it: what happened, who did it, to what, from where; by kind, by a text and by time.
import { Anchor, Button, Group, MultiSelect, Select, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconHistory } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AUDIT_PAGE, type AuditEntry } from "../../../client/people/audit.ts";
import { useFormats } from "../../fields/formats.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { FactsTable, RowAction } from "../../parts/layout/facts-table.tsx";
import { FailureState } from "../../parts/layout/failure-state.tsx";
import { Section } from "../../parts/layout/section.tsx";
import table from "../../parts/layout/table.module.css";
import { RecordLink } from "../../parts/record-link.tsx";
import { useTypeLabel } from "../../parts/use-type-label.ts";
import { schemaQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import classes from "./administration-screen.module.css";
import { auditLines, wordsOf } from "./audit-words.ts";
import { useAuditWords } from "./use-audit-words.ts";

const AUDIT = "access_controls/audit_events";
const RECORD_TYPES = "metadata/record_types";
const spans = ["", "0", "7", "30", "365"] as const;
const BREATH_MS = 250;

export function AuditPart() {
  const { t } = useTranslation();
  const formats = useFormats();
  const [events, setEvents] = useState<string[]>([]);
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed, BREATH_MS);
  const [span, setSpan] = useState<string>("");
  const words = useAuditWords();
  const { data: schema } = useQuery(schemaQuery(AUDIT));
  const options = schema?.fields.find(({ name }) => name === "event")?.options ?? [];
  const filter = { events, text, days: span === "" ? undefined : Number(span) };
  const query = useInfiniteQuery({
    queryKey: ["admin-audit", filter],
    queryFn: ({ pageParam, signal }) => client.administration.readAudit(filter, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last, _pages, page) => (page * AUDIT_PAGE < last.total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  const asList = (
    <Anchor
      size="sm"
      display="inline-block"
      py={4}
      renderRoot={(props) => (
        <Link
          {...props}
          to="/$module/$controller/index"
          params={{ module: "access_controls", controller: "audit_events" }}
        />
      )}
    >
      {t("admin.audit_list")}
    </Anchor>
  );
  return (
    <Section title={t("admin.part_audit")} lead={t("admin.audit_lead")} action={asList}>
      <Stack gap="sm">
        <div className={classes.filters}>
          <TextInput
            label={t("admin.audit_text")}
            placeholder={t("admin.audit_text_lead")}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <MultiSelect
            label={t("admin.audit_events")}
            placeholder={events.length === 0 ? t("admin.audit_all") : ""}
            data={options.map(({ value, label }) => ({ value, label: words.event(value) ?? label }))}
            searchable
            clearable
            clearButtonProps={{ "aria-label": t("actions.clear") }}
            hidePickedOptions
            nothingFoundMessage={t("signup.nothing")}
            value={events}
            onChange={setEvents}
          />
          <Select
            label={t("admin.audit_since")}
            allowDeselect={false}
            data={spans.map((value) => ({ value, label: t(`admin.audit_span_${value || "all"}`) }))}
            value={span}
            onChange={(value) => setSpan(value ?? "")}
          />
        </div>
        {query.isPending && <Skeleton h={320} radius="md" />}
        {query.isError && <FailureState error={query.error} retry={() => void query.refetch()} />}
        {query.data && (
          <>
            <Text size="sm" c="dimmed" role="status">
              {t("admin.audit_count", { count: total, replace: { count: formats.count(total) } })}
            </Text>
            {entries.length === 0 ? (
              <EmptyState icon={IconHistory} title={t("admin.audit_none")} text={t("admin.audit_none_lead")} small />
            ) : (
              <Entries entries={entries} />
            )}
            {query.hasNextPage && (
              <Group justify="center">
                <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t("admin.audit_more")}
                </Button>
              </Group>
            )}
          </>
        )}
      </Stack>
    </Section>
  );
}

function Entries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useAuditWords();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  };
  return (
    <FactsTable
      label={t("admin.part_audit")}
      columns={[
        t("admin.audit_what"),
        t("admin.audit_who"),
        t("admin.audit_subject"),
        t("admin.audit_when"),
        t("admin.actions"),
      ]}
    >
      {entries.map((entry) => {
        const lines = auditLines(entry.detail, words);
        const label = words.event(entry.event) ?? entry.event;
        const isOpen = opened.has(entry.id);
        return [
          <tr key={entry.id} className={isOpen ? classes.unfolded : undefined}>
            <th scope="row">{label}</th>
            <td>
              {entry.userName || t(entry.address === "" ? "admin.audit_service" : "admin.audit_nobody")}
              {entry.address !== "" && (
                <div className={table.mono} dir="ltr">
                  {entry.address}
                </div>
              )}
            </td>
            <td>
              <Subject entry={entry} />
            </td>
            <td className={classes.when}>{formats.dateTime(entry.at)}</td>
            <td>
              {lines.length > 0 && (
                <RowAction
                  isOpen={isOpen}
                  label={t("admin.audit_detail_name", { what: label, when: formats.dateTime(entry.at) })}
                  onClick={() => toggle(entry.id)}
                >
                  {t("admin.audit_detail")}
                </RowAction>
              )}
            </td>
          </tr>,
          isOpen && (
            <tr key={`${entry.id} detail`}>
              <td colSpan={5} className={classes.detail}>
                <dl>
                  {lines.map((line) => (
                    <div key={line.label}>
                      <dt>{line.label}</dt>
                      <dd>
                        {line.from !== undefined && (
                          <>
                            <del>{line.from}</del> <span aria-hidden="true">→</span>
                            <span className="visually-hidden">{t("history.became")}</span>{" "}
                          </>
                        )}
                        <span>{line.to}</span>
                      </dd>
                    </div>
                  ))}
                </dl>
              </td>
            </tr>
          ),
        ];
      })}
    </FactsTable>
  );
}

/** There is no page to go to. */
const isGone = ({ event, detail, subjectType }: AuditEntry): boolean =>
  event === "record_purged" || (detail.operation === "delete" && subjectType === RECORD_TYPES);

function Subject({ entry }: { readonly entry: AuditEntry }) {
  const typeLabel = useTypeLabel();
  const [module = "", controller = ""] = entry.subjectType.split("/");
  if (controller === "") return null;
  const known = typeLabel(entry.subjectType);
  // Of types that the navigation does not show.
  const kind = known === entry.subjectType ? wordsOf(controller) : known;
  const name = entry.subjectName || entry.subjectId;
  return (
    <>
      {isGone(entry) || name === "" ? (
        <div>{name}</div>
      ) : entry.subjectType === RECORD_TYPES ? (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/metadata/record_types/view" search={{ key: entry.subjectId }} />}
        >
          {name}
        </Anchor>
      ) : (
        <RecordLink module={module} controller={controller} id={entry.subjectId}>
          {name}
        </RecordLink>
      )}
      <div className={table.mono}>{kind}</div>
    </>
  );
}
