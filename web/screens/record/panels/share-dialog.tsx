// Shares a record with a user or a group: which rights, for good or until a day.

import { Button, Checkbox, Group, Input, Modal, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Principal, RecordAccess } from "../../../../client/records/access.ts";
import type { FormElement } from "../../../../client/records/records.ts";
import type { RecordTypeKey } from "../../../../client/transport/address.ts";
import { writeInstant } from "../../../../client/transport/instant.ts";
import { recordRights } from "../../../../contract/permissions.ts";
import { instantIn } from "../../../../contract/zones.ts";
import { fieldPart } from "../../../fields/field-part.tsx";
import { useTimeZone } from "../../../fields/formats.ts";
import { plainText } from "../../../fields/inputs/field-input-props.ts";
import { isDay } from "../../../fields/reading/read-day.ts";
import { useWrite } from "../../../parts/use-write.ts";
import { principalsQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";

const DateInput = fieldPart(async () => (await import("../../../fields/inputs/date-inputs.tsx")).DateInput);

const untilElement: FormElement = {
  name: ["until"],
  __name: "until",
  label: "",
  template: "input",
  method: "text",
  permission: 2,
  not_empty: "0",
};

interface ShareDialogProps {
  readonly recordTypeKey: RecordTypeKey;
  readonly id: string;
  readonly name: string;
  readonly opened: boolean;
  readonly close: () => void;
  readonly onShared: (access: RecordAccess, whom: string) => void;
}

export function ShareDialog({ recordTypeKey, id, name, opened, close, onShared }: ShareDialogProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed, 180);
  const [whom, setWhom] = useState<Principal>();
  const [rights, setRights] = useState<readonly string[]>(["read"]);
  const [until, setUntil] = useState("");
  const timeZone = useTimeZone();
  const { data: found = [] } = useQuery({
    ...principalsQuery(recordTypeKey, id, search),
    enabled: opened,
    placeholderData: keepPreviousData,
  });
  const untilId = useId();
  const end = isDay(until) ? instantIn(`${until}T23:59:59`, timeZone) : undefined;
  const share = useWrite({
    mutationFn: ({ principal_id }: Principal) =>
      client.access.shareRecord(recordTypeKey, id, {
        principal_id,
        rights: rights.join(";"),
        // Until the end of that day, where the reader is.
        until: end === undefined ? null : writeInstant(end),
      }),
    onSuccess: (access, { name: called }) => {
      onShared(access, called);
      setWhom(undefined);
      setTyped("");
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // What is no date must not mean "for good". The input says what it needs.
    if (until !== "" && end === undefined) document.getElementById(untilId)?.focus();
    else if (whom) share.mutate(whom);
  };
  const known = whom && !found.some((one) => one.principal_id === whom.principal_id) ? [whom, ...found] : found;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t("access.share_title", { name })}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      onExitTransitionEnd={share.reset}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Select
            label={t("access.with")}
            placeholder={t("record.search_reference")}
            searchable
            data-autofocus
            data={known.map((one) => ({
              value: one.principal_id,
              label: one.kind === "group" ? `${one.name} (${t("access.kind_group")})` : one.name,
            }))}
            filter={({ options }) => options}
            value={whom?.principal_id ?? null}
            onSearchChange={setTyped}
            onChange={(chosen) => setWhom(known.find((one) => one.principal_id === chosen))}
            nothingFoundMessage={t("record.no_reference")}
          />
          <Checkbox.Group label={t("access.rights")} value={[...rights]} onChange={setRights}>
            <Group gap="md" mt={4}>
              {recordRights.map((right) => (
                <Checkbox key={right} value={right} label={t(`access.may_${right}`)} disabled={right === "read"} />
              ))}
            </Group>
          </Checkbox.Group>
          <Input.Wrapper
            label={t("access.until")}
            labelProps={{ htmlFor: untilId }}
            description={t("access.until_lead")}
            descriptionProps={{ id: `${untilId}-lead` }}
          >
            <DateInput
              element={untilElement}
              id={untilId}
              value={until}
              error={undefined}
              describedBy={`${untilId}-lead`}
              onChange={(day) => setUntil(plainText(day))}
            />
          </Input.Wrapper>
          {share.error && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {share.error.message}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t("actions.cancel")}
            </Button>
            <Button type="submit" disabled={whom === undefined} loading={share.isPending}>
              {t("access.share")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
