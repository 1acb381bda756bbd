// What a new key is limited to: record types with operations, and addresses; and the same in words for a key that is there.
import { Checkbox, Group, MultiSelect, Stack, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ApiKeyScope, NewApiKey } from "../../../../client/people/api-keys.ts";
import { type MatrixOperation, matrixOperations } from "../../../../contract/permissions.ts";
import { navigationQuery } from "../../../queries.ts";

export interface DraftLimits {
  readonly types: readonly string[];
  /** Undefined: all that the key's access allows. */
  readonly operations: readonly MatrixOperation[] | undefined;
  readonly networks: string;
}

export const noLimits: DraftLimits = { types: [], operations: undefined, networks: "" };

const reading: readonly MatrixOperation[] = ["index", "view", "export"];
/** Designing is not for programs that are limited. */
const all = matrixOperations.filter((operation) => operation !== "design");
const choices = (scope: ApiKeyScope): readonly MatrixOperation[] => (scope === "read" ? reading : all);

const chosen = ({ operations }: DraftLimits, scope: ApiKeyScope): readonly MatrixOperation[] =>
  choices(scope).filter((one) => operations === undefined || operations.includes(one));

export function limitsOf(draft: DraftLimits, scope: ApiKeyScope): Pick<NewApiKey, "limits" | "networks"> {
  const operations = chosen(draft, scope);
  const networks = draft.networks.trim();
  return {
    ...(draft.types.length === 0 ? {} : { limits: Object.fromEntries(draft.types.map((type) => [type, operations])) }),
    ...(networks === "" ? {} : { networks }),
  };
}

interface KeyLimitsFieldsProps {
  readonly limits: DraftLimits;
  readonly scope: ApiKeyScope;
  readonly onChange: (limits: DraftLimits) => void;
  readonly errors: { readonly limits: string | undefined; readonly networks: string | undefined };
}

export function KeyLimitsFields({ limits, scope, onChange, errors }: KeyLimitsFieldsProps) {
  const { t } = useTranslation();
  const { data: modules = [] } = useQuery(navigationQuery);
  const operations = chosen(limits, scope);
  return (
    <Stack gap="md" pt="xs">
      <MultiSelect
        label={t("programs.types")}
        description={t("programs.types_lead")}
        placeholder={limits.types.length === 0 ? t("programs.types_all") : undefined}
        searchable
        clearable
        clearButtonProps={{ "aria-label": t("actions.clear") }}
        hidePickedOptions
        nothingFoundMessage={t("admin.none_found")}
        data={modules
          .filter(({ entries }) => entries.length > 0)
          .map(({ label, entries }) => ({
            group: label,
            items: entries.map(({ key, label: plural }) => ({ value: key, label: plural })),
          }))}
        value={[...limits.types]}
        onChange={(types) => onChange({ ...limits, types })}
        error={errors.limits}
      />
      {limits.types.length > 0 && (
        <Checkbox.Group
          label={t("programs.operations")}
          description={t("programs.operations_lead")}
          value={[...operations]}
          onChange={(values) => onChange({ ...limits, operations: all.filter((one) => values.includes(one)) })}
          error={operations.length === 0 ? t("programs.missing_operations") : undefined}
        >
          <Group gap="sm" pt={6}>
            {choices(scope).map((operation) => (
              <Checkbox key={operation} value={operation} label={t(`operations.${operation}`)} size="xs" />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <Textarea
        label={t("programs.networks")}
        description={t("programs.networks_lead")}
        placeholder="203.0.113.7 10.0.0.0/8"
        dir="ltr"
        autosize
        minRows={1}
        maxRows={4}
        maxLength={4000}
        value={limits.networks}
        onChange={(event) => onChange({ ...limits, networks: event.currentTarget.value })}
        error={errors.networks}
      />
    </Stack>
  );
}

/** In words; empty for a key that is not limited. What cannot be read is shown as it is. */
export function useLimitsInWords(): (key: {
  readonly limits: string | null;
  readonly networks: string | null;
}) => readonly string[] {
  const { t } = useTranslation();
  const { data: modules = [] } = useQuery(navigationQuery);
  const labels = new Map(modules.flatMap(({ entries }) => entries.map(({ key, label }) => [key, label] as const)));
  return ({ limits, networks }) => [
    ...byOperations(limits).map(({ types, operations }) =>
      t("programs.limited_to", {
        types: types.map((type) => (type === "*" ? t("programs.types_all") : (labels.get(type) ?? type))).join(", "),
        operations: operations.map((one) => t(`operations.${one}`)).join(", "),
      }),
    ),
    ...(networks ? [t("programs.from", { networks })] : []),
  ];
}

/** Record types with the same operations together. */
export function byOperations(
  limits: string | null,
): readonly { readonly types: readonly string[]; readonly operations: readonly MatrixOperation[] }[] {
  if (limits === null || limits === "") return [];
  const kept = Object.entries(JSON.parse(limits) as Record<string, readonly string[]>); // as the service wrote it
  const groups = new Map<string, { types: string[]; operations: readonly MatrixOperation[] }>();
  for (const [type, names] of kept) {
    const operations = matrixOperations.filter((one) => names.includes(one));
    const group = groups.get(operations.join()) ?? { types: [], operations };
    group.types.push(type);
    groups.set(operations.join(), group);
  }
  return [...groups.values()];
}
