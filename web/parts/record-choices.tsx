// Asked before a transition creates records: a new one, one that is there and looks the same, or none.
import { Checkbox, Radio, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { RecordChoice, WireOfferedRecord } from "../../client/records/workflow.ts";
import { transitionQuery } from "../queries.ts";

export type Choices = Readonly<Record<string, RecordChoice>>;

interface RecordChoicesProps {
  readonly recordTypeKey: string;
  readonly id: string;
  readonly transition: string;
  readonly choices: Choices;
  readonly onChange: (choices: Choices) => void;
}

export function RecordChoices({ recordTypeKey, id, transition, choices, onChange }: RecordChoicesProps) {
  const { data, isPending, error } = useQuery(transitionQuery(recordTypeKey, id, transition));
  if (isPending) return <Skeleton h={80} />;
  if (error) {
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {error.message}
      </Text>
    );
  }
  // Where there is nothing but a new record there is nothing to ask.
  const open = data.filter(({ matches, offers }) => matches.length > 0 || offers.includes("skip"));
  return (
    <Stack gap="md">
      {open.map((offered) => (
        <OneChoice
          key={offered.as}
          offered={offered}
          choice={choices[offered.as] ?? { use: "new", merge: false }}
          onChange={(choice) => onChange({ ...choices, [offered.as]: choice })}
        />
      ))}
    </Stack>
  );
}

interface OneChoiceProps {
  readonly offered: WireOfferedRecord;
  readonly choice: RecordChoice;
  readonly onChange: (choice: RecordChoice) => void;
}

function OneChoice({ offered, choice, onChange }: OneChoiceProps) {
  const { t } = useTranslation();
  const { label, name, offers, matches } = offered;
  const isThere = choice.use !== "new" && choice.use !== "none";
  return (
    <Stack gap={6}>
      <Radio.Group label={label} value={choice.use} onChange={(use) => onChange({ ...choice, use })}>
        <Stack gap={6} mt={4}>
          <Radio value="new" label={name === null ? t("workflow.create") : t("workflow.create_named", { name })} />
          {matches.map((match) => (
            <Radio
              key={match.id}
              value={match.id}
              label={t("workflow.use_named", { name: match.name ?? match.id })}
              description={t("workflow.same", { labels: match.labels.join(", ") })}
            />
          ))}
          {offers.includes("skip") && <Radio value="none" label={t("workflow.skip")} />}
        </Stack>
      </Radio.Group>
      {isThere && (
        <Checkbox
          label={t("workflow.merge")}
          checked={choice.merge}
          onChange={(event) => onChange({ ...choice, merge: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}
