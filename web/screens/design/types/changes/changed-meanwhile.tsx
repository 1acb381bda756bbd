// Says that somebody else saved the record type that is being designed: who, when, what they changed, and where both did; with ways to go on.
import { Button, Group, List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { readInstant } from "../../../../../client/transport/instant.ts";
import { useFormats } from "../../../../fields/formats.ts";
import { Notice } from "../../../../parts/layout/notice.tsx";
import { useShownNotice } from "../../../../parts/use-shown-notice.ts";
import type { TypeDraft } from "../type-draft.ts";
import { partOf } from "../type-parts.ts";
import { type Difference, differences, merged, overlaps } from "./merge-drafts.ts";
import { fieldPartLabel, typePartLabel } from "./part-labels.ts";

interface ChangedMeanwhileProps {
  readonly base: TypeDraft;
  readonly theirs: TypeDraft;
  readonly mine: TypeDraft;
  readonly modified: string | null;
  readonly modifiedBy: string | null;
  readonly onMerge: (draft: TypeDraft) => void;
  readonly onDiscard: () => void;
}

export function ChangedMeanwhile(props: ChangedMeanwhileProps) {
  const { base, theirs, mine, modified, modifiedBy, onMerge, onDiscard } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const at = readInstant(modified);
  const place = useShownNotice(modified);
  const met = overlaps(base, theirs, mine);
  const apply = (over: boolean) => () => onMerge(merged(base, theirs, mine, over));
  return (
    <Notice
      tone="bad"
      ref={place}
      title={t(modifiedBy === null ? "design.meanwhile.title_unknown" : "design.meanwhile.title", { name: modifiedBy })}
    >
      <Text size="sm">
        {at && `${formats.exact(at)} · `}
        {t("design.meanwhile.lead")}
      </Text>
      <List size="sm" my={6}>
        {differences(base, theirs).map((one) => (
          <List.Item key={one.place}>
            <Words one={one} />
            {met.has(one.place) && <b> – {t("design.meanwhile.both")}</b>}
          </List.Item>
        ))}
      </List>
      <Group gap={6}>
        {met.size === 0 ? (
          <Button size="compact-sm" onClick={apply(false)}>
            {t("design.meanwhile.apply")}
          </Button>
        ) : (
          <>
            <Button size="compact-sm" onClick={apply(false)}>
              {t("design.meanwhile.apply_apart")}
            </Button>
            <Button size="compact-sm" variant="default" onClick={apply(true)}>
              {t("design.meanwhile.apply_over")}
            </Button>
          </>
        )}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onDiscard}>
          {t("design.meanwhile.discard")}
        </Button>
      </Group>
    </Notice>
  );
}

function Words({ one: { place, label, isField, differs, parts } }: { readonly one: Difference }) {
  const { t } = useTranslation();
  if (!isField) {
    const name = t(`design.parts.${partOf(place)}`);
    return partOf(place) === "general"
      ? t("design.meanwhile.changed", { name, parts: t(typePartLabel(place)) })
      : t("design.meanwhile.changed_part", { name });
  }
  if (differs !== "changed") return t(`design.meanwhile.${differs}`, { name: label });
  const words = new Set(parts.map((part) => t(fieldPartLabel(part))));
  return t("design.meanwhile.changed", { name: label, parts: [...words].join(", ") });
}
