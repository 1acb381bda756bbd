// What one role may do: record types down, operations across, single fields below. A draft until it is saved, with what it would change.
import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListedType } from "../../../../client/design/design.ts";
import type { ListedRole } from "../../../../client/people/administration.ts";
import type { FieldRule } from "../../../../client/people/roles.ts";
import { type MatrixOperation, matrixOperations } from "../../../../contract/permissions.ts";
import { Consequences } from "../../../parts/access/consequences.tsx";
import { typesInOrder } from "../../../parts/access/types-in-order.ts";
import { useCommands } from "../../../parts/commands/commands.ts";
import { LateSelect } from "../../../parts/controls/late-select.tsx";
import { SaveButton } from "../../../parts/controls/save-button.tsx";
import { useGridFocus } from "../../../parts/controls/use-grid-focus.ts";
import { ScrollRegion } from "../../../parts/layout/scroll-region.tsx";
import table from "../../../parts/layout/table.module.css";
import { navigationQuery } from "../../../queries.ts";
import { useHeldPlace } from "../../../session/held-place.ts";
import { ownKey } from "../../../session/own-key.ts";
import { client } from "../../../session/session.ts";
import classes from "../administration-screen.module.css";
import { useChange } from "../use-change.ts";
import { FieldRules } from "./field-rules.tsx";
import {
  allowedFor,
  changesOf,
  draftOf,
  fieldChangesOf,
  followed,
  heldRole,
  isContradicted,
  type MatrixDraft,
  rebased,
  rebasedRules,
  type StoredRole,
  started,
  takenUp,
  toggled,
} from "./matrix-draft.ts";

interface RoleEditorProps {
  readonly role: ListedRole;
  readonly stored: StoredRole;
  readonly types: readonly ListedType[];
  /** The record type that somebody came for, and what is done with its line. */
  readonly wanted?: string | undefined;
  readonly show: (line: HTMLElement | null) => void;
}

interface Line {
  readonly key: string;
  readonly label: string;
  /** What can be given on it; undefined: everything. */
  readonly grants: readonly MatrixOperation[] | undefined;
}

interface LineGroup {
  readonly label: string | undefined;
  readonly lines: readonly Line[];
}

export function RoleEditor({ role, stored, types, wanted, show }: RoleEditorProps) {
  const { t } = useTranslation();
  const navigation = useQuery(navigationQuery);
  const place = ownKey("role", role.id);
  const [start] = useState(() => takenUp(sessionStorage.getItem(place), stored));
  const [draft, setDraft] = useState<MatrixDraft>(start.draft);
  const [fields, setFields] = useState<readonly FieldRule[]>(start.fields);
  // Read anew after every save, also one that was refused: what is not saved yet stays.
  const [before, setBefore] = useState(stored);
  if (before !== stored) {
    setBefore(stored);
    setDraft(rebased(before.rows, stored.rows, draft));
    setFields(rebasedRules(before.fields, stored.fields, fields));
  }
  const { changed, givenUp, count } = changesOf(stored.rows, draft);
  const fieldChanges = fieldChangesOf(stored.fields, fields);
  const all = count + fieldChanges.count;
  useHeldPlace(all > 0);
  // It outlives a look at another role, at another page and a reload, in this tab.
  useEffect(() => {
    if (all > 0) sessionStorage.setItem(place, heldRole(stored, draft, fields));
    else sessionStorage.removeItem(place);
  }, [all, place, stored, draft, fields]);
  const save = useChange({
    run: async () => {
      // A row is saved as a whole: it must not take back what somebody else allowed meanwhile.
      const now = await client.administration.readMatrix(role.id);
      if (isContradicted(stored.rows, now, changed)) throw new Error(t("admin.matrix_meanwhile"));
      return client.administration.saveRole(role.id, { rows: changed, givenUp, ...fieldChanges });
    },
    done: t("admin.matrix_saved", { role: role.name }),
    refresh: ["admin-matrix", "who-may", "navigation"],
  });
  const inSight = new Set((navigation.data ?? []).flatMap((module) => module.entries.map((entry) => entry.key)));
  const open = types.filter(({ operations }) => operations.length > 0);
  const isListed = (key: string) => draft.has(key) || inSight.has(key) || key === wanted;
  const listed = open.filter(({ key }) => isListed(key));
  const groups: readonly LineGroup[] = [
    { label: undefined, lines: [{ key: "*", label: t("admin.all_other_types"), grants: undefined }] },
    ...typesInOrder(listed, navigation.data ?? []).map(({ label, types: own }) => ({
      label: label ?? t("shell.administration"),
      lines: own.map(({ key, plural, operations }) => ({ key, label: plural, grants: operations })),
    })),
    // Of types that are out of service.
    {
      label: undefined,
      lines: [...draft.keys()]
        .filter((key) => key !== "*" && !open.some((type) => type.key === key))
        .map((key) => ({ key, label: key, grants: undefined })),
    },
  ];
  const columns = matrixOperations.filter((operation) =>
    groups.some(({ lines }) => lines.some(({ key, grants }) => key !== "*" && (grants?.includes(operation) ?? true))),
  );
  return (
    <>
      <Matrix
        {...{ role, groups, columns, draft, setDraft, show }}
        // Lines find their places with the navigation.
        wanted={navigation.data ? wanted : undefined}
      />
      <LateSelect
        label={t("admin.add_type")}
        description={t("admin.add_type_lead")}
        maw={360}
        searchable
        selectFirstOptionOnChange
        value={null}
        nothingFoundMessage={t("signup.nothing")}
        data={open
          .filter(({ key }) => !isListed(key))
          .map(({ key, plural, module_label }) => ({ value: key, label: `${plural} (${module_label})` }))}
        onChange={(key) => key !== null && setDraft(started(draft, key))}
      />
      <FieldRules types={types} rules={fields} onChange={setFields} />
      {count > 0 && (
        <Consequences
          draft={{
            kind: "roles",
            id: role.id,
            operations: [...draft].map(([record_type, operations]) => ({ record_type, operations: [...operations] })),
          }}
        />
      )}
      <div className={classes.bar}>
        <Text size="sm" c="dimmed" role="status">
          {all === 0 ? t("admin.no_changes") : t("admin.changes", { count: all })}
        </Text>
        <Button
          variant="default"
          disabled={all === 0}
          onClick={() => {
            setDraft(draftOf(stored.rows));
            setFields(stored.fields);
          }}
        >
          {t("admin.discard")}
        </Button>
        <SaveButton isDisabled={all === 0} isSaving={save.isPending} onSave={() => save.mutate(undefined)}>
          {t("admin.save")}
        </SaveButton>
      </div>
    </>
  );
}

interface MatrixProps {
  readonly role: ListedRole;
  readonly groups: readonly LineGroup[];
  readonly columns: readonly MatrixOperation[];
  readonly draft: MatrixDraft;
  readonly setDraft: (draft: MatrixDraft) => void;
  readonly wanted: string | undefined;
  readonly show: (line: HTMLElement | null) => void;
}

function Matrix({ role, groups, columns, draft, setDraft, wanted, show }: MatrixProps) {
  const { t } = useTranslation();
  const grid = useGridFocus();
  useCommands([{ id: "role-matrix", label: t("admin.matrix_keys"), group: "record", keys: "Arrows" }]);
  return (
    <ScrollRegion label={t("admin.matrix", { role: role.name })}>
      <table className={`${table.table} ${classes.matrix}`} {...grid}>
        <thead>
          <tr>
            <th scope="col">{t("admin.record_type")}</th>
            {columns.map((operation) => (
              <th key={operation} scope="col">
                {t(`operations.${operation}`)}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{t("admin.actions")}</span>
            </th>
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.lines[0]?.key ?? ""}>
            {group.label !== undefined && (
              <tr className={classes.group}>
                <th scope="rowgroup" colSpan={columns.length + 2}>
                  {group.label}
                </th>
              </tr>
            )}
            {group.lines.map(({ key, label, grants }) => {
              const own = draft.has(key);
              const allowed = allowedFor(draft, key);
              return (
                <tr
                  key={key}
                  data-inherits={!own || undefined}
                  data-wanted={key === wanted || undefined}
                  ref={key === wanted ? show : undefined}
                >
                  <th scope="row">{label}</th>
                  {columns.map((operation) => (
                    <td key={operation}>
                      {(grants?.includes(operation) ?? true) && (
                        <input
                          type="checkbox"
                          aria-label={`${label}: ${t(`operations.${operation}`)}`}
                          checked={allowed.has(operation)}
                          onChange={() => setDraft(toggled(draft, key, operation))}
                        />
                      )}
                    </td>
                  ))}
                  <td>
                    {key !== "*" && own && (
                      <Button
                        size="compact-xs"
                        variant="subtle"
                        color="gray"
                        aria-label={t("admin.follow_name", { name: label })}
                        onClick={() => setDraft(followed(draft, key))}
                      >
                        {t("admin.follow")}
                      </Button>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        ))}
      </table>
    </ScrollRegion>
  );
}
