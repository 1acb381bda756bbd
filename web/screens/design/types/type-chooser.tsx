// Which type a field has: every type with its icon and a line about what it is for, found by typing.
import { Modal, TextInput, UnstyledButton } from "@mantine/core";
import { IconArrowUpRight, IconMathFunction, IconSearch, IconSum } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type FieldTypeId, fieldTypeIds } from "../../../../contract/field-types.ts";
import { fieldTypes } from "../../../fields/index.ts";
import design from "../design.module.css";
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
  const wanted = text.trim().toLocaleLowerCase();
  const isIn = (words: string): boolean => words.toLocaleLowerCase().includes(wanted);
  const named = fieldTypeIds.filter((id) => isIn(t(`field_types.${id}`)));
  // Those that are called so come before those that are described so.
  const shown = [...named, ...fieldTypeIds.filter((id) => !named.includes(id) && isIn(t(`design.types.${id}`)))];
  const computed = computedKinds.filter(
    (kind) => onCompute && (isIn(t(`design.computed.${kind}`)) || isIn(t(`design.computed_leads.${kind}`))),
  );
  const compute = (kind: ComputedKind): void => {
    setText("");
    onCompute?.(kind);
  };
  const takeFirst = (): void => {
    const called = computed.find((kind) => isIn(t(`design.computed.${kind}`)));
    const [first] = shown;
    if (called !== undefined && named.length === 0) compute(called);
    else if (first !== undefined) take(first);
    else if (computed[0] !== undefined) compute(computed[0]);
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
        onKeyDown={(event) => event.key === "Enter" && wanted !== "" && takeFirst()}
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
