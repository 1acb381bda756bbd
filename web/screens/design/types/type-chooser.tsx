// Which type a field has: every type with its icon and a line about what it is for, found by typing.
import { Modal, TextInput, UnstyledButton } from "@mantine/core";
import { IconArrowUpRight, IconMathFunction, IconSearch, IconSum } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type FieldTypeId, fieldTypeIds } from "../../../../contract/field-types.ts";
import { fieldTypes } from "../../../fields/index.ts";
import design from "../design.module.css";
import { findTypes, rankOf } from "./find-types.ts";
import classes from "./type-chooser.module.css";
import { type ComputedKind, computedKinds } from "./type-draft.ts";

interface TypeChooserProps {
  readonly opened: boolean;
  readonly current: FieldTypeId | undefined;
  readonly onChoose: (type: FieldTypeId) => void;
  /** Undefined where a field changes its type: what people have entered stays theirs. */
  readonly onCompute: ((kind: ComputedKind) => void) | undefined;
  /** Whether what opened it has the focus once it is closed. */
  readonly returnFocus: boolean;
  readonly onClose: () => void;
}

const computedIcons = { formula: IconMathFunction, lookup: IconArrowUpRight, "roll-up": IconSum } as const;

export function TypeChooser({ opened, current, onChoose, onCompute, returnFocus, onClose }: TypeChooserProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const typeWords = (id: FieldTypeId) => ({
    name: t(`field_types.${id}`),
    words: t(`design.type_words.${id}`),
    lead: t(`design.types.${id}`),
  });
  const computedWords = (kind: ComputedKind) => ({
    name: t(`design.computed.${kind}`),
    words: t(`design.computed_words.${kind}`),
    lead: t(`design.computed_leads.${kind}`),
  });
  const shown = findTypes(text, fieldTypeIds, typeWords);
  const computed = onCompute ? findTypes(text, computedKinds, computedWords) : [];
  const compute = (kind: ComputedKind): void => {
    setText("");
    onCompute?.(kind);
  };
  const takeFirst = (): void => {
    const [[first], [kind]] = [shown, computed];
    const rank = first === undefined ? undefined : rankOf(text, typeWords(first));
    const isCloser =
      kind !== undefined && (rankOf(text, computedWords(kind)) ?? 0) < (rank ?? Number.POSITIVE_INFINITY);
    if (isCloser) compute(kind);
    else if (first !== undefined) take(first);
  };
  const take = (id: FieldTypeId): void => {
    setText("");
    onChoose(id);
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      returnFocus={returnFocus}
      size={760}
      title={t(current === undefined ? "design.choose_field_type" : "design.change_field_type")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <TextInput
        data-autofocus
        mb="sm"
        value={text}
        aria-label={t("design.find_field_type")}
        placeholder={t("design.find_field_type")}
        leftSection={<IconSearch size={15} aria-hidden="true" />}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && text.trim() !== "" && takeFirst()}
      />
      <ul className={classes.types}>
        {shown.map((id) => {
          const { icon: TypeIcon } = fieldTypes[id].design;
          return (
            <li key={id}>
              <UnstyledButton
                className={classes.type ?? ""}
                aria-current={id === current || undefined}
                onClick={() => take(id)}
              >
                <TypeIcon size={20} stroke={1.5} aria-hidden="true" />
                <span>
                  <b>{t(`field_types.${id}`)}</b>
                  <small>{t(`design.types.${id}`)}</small>
                </span>
              </UnstyledButton>
            </li>
          );
        })}
        {computed.map((kind) => {
          const KindIcon = computedIcons[kind];
          return (
            <li key={kind}>
              <UnstyledButton className={classes.type ?? ""} onClick={() => compute(kind)}>
                <KindIcon size={20} stroke={1.5} aria-hidden="true" />
                <span>
                  <b>{t(`design.computed.${kind}`)}</b>
                  <small>{t(`design.computed_leads.${kind}`)}</small>
                </span>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
      {shown.length + computed.length === 0 && <p className={design.none}>{t("design.no_field_type", { text })}</p>}
    </Modal>
  );
}
