// A number of stars: chosen by pointer, arrow keys or digits, shown as stars with words for those who do not see them.
import { CloseButton, Group, Input, UnstyledButton } from "@mantine/core";
import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { type KeyboardEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FieldSettings } from "../../contract/field-types.ts";
import type { FieldType } from "./field-type.ts";
import { type FieldInputProps, plainText } from "./inputs/field-input-props.ts";
import { readNumber } from "./reading/read-number.ts";

const USUAL = 5;
const FULL = "var(--mantine-color-yellow-9)";
const EMPTY = "var(--mantine-color-placeholder)";

const mostOf = (settings: FieldSettings | undefined): number => Number(settings?.max ?? USUAL);
const starsTo = (most: number): readonly number[] => Array.from({ length: most }, (_, index) => index + 1);

/** Which number of stars a key asks for; 0: none, undefined: the key is not for us. */
function starsOf(key: string, chosen: number, most: number, isRightToLeft: boolean): number | undefined {
  const [more, less] = isRightToLeft ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
  if (key === more || key === "ArrowUp") return Math.min(chosen + 1, most);
  if (key === less || key === "ArrowDown") return Math.max(chosen - 1, 1);
  if (key === "Home") return 1;
  if (key === "End") return most;
  if (key === "Delete" || key === "Backspace") return 0;
  return /^\d$/.test(key) && Number(key) <= most ? Number(key) : undefined;
}

function RatingInput({ element, id, name, value, error, describedBy, onChange }: FieldInputProps) {
  const { t } = useTranslation();
  const group = useRef<HTMLDivElement>(null);
  const most = mostOf(element.settings);
  const chosen = Number(plainText(value)) || 0;
  const isRequired = element.not_empty === "1";
  const label = name ?? element.label;
  const choose = (stars: number): void => onChange(stars === 0 ? null : String(stars));
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === "rtl";
    const stars = event.ctrlKey || event.metaKey ? undefined : starsOf(event.key, chosen, most, isRightToLeft);
    if (stars === undefined || (stars === 0 && isRequired)) return;
    event.preventDefault();
    choose(stars);
    group.current?.querySelectorAll<HTMLElement>("[role=radio]")[Math.max(stars, 1) - 1]?.focus();
  };
  return (
    <div>
      <Group gap={4} wrap="nowrap" mih={36}>
        <Group
          ref={group}
          gap={0}
          wrap="nowrap"
          role="radiogroup"
          aria-label={label}
          aria-required={isRequired}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          onKeyDown={press}
        >
          {starsTo(most).map((stars) => {
            const isStop = stars === Math.max(chosen, 1);
            return (
              <UnstyledButton
                key={stars}
                {...(isStop ? { id } : {})}
                role="radio"
                aria-checked={stars === chosen}
                aria-label={t("values.stars", { stars, most })}
                tabIndex={isStop ? 0 : -1}
                p={4}
                lh={0}
                c={stars <= chosen ? FULL : EMPTY}
                onClick={() => choose(stars)}
              >
                {stars <= chosen ? <IconStarFilled size={18} /> : <IconStar size={18} stroke={1.6} />}
              </UnstyledButton>
            );
          })}
        </Group>
        {chosen > 0 && !isRequired && (
          <CloseButton size="sm" aria-label={t("record.clear", { label })} onClick={() => choose(0)} />
        )}
      </Group>
      {error !== undefined && <Input.Error>{error}</Input.Error>}
    </div>
  );
}

function Stars({ value, most }: { readonly value: string; readonly most: number }) {
  const { t } = useTranslation();
  const stars = Math.min(Number(value), most);
  return (
    <span style={{ whiteSpace: "nowrap" }}>
      <span aria-hidden="true" style={{ color: FULL }}>
        {"★".repeat(stars)}
      </span>
      <span aria-hidden="true" style={{ color: EMPTY }}>
        {"☆".repeat(most - stars)}
      </span>
      <span className="visually-hidden">{t("values.stars", { stars: value, most })}</span>
    </span>
  );
}

export const rating: FieldType = {
  Input: RatingInput,
  /** `3`, `3/5` where the field has five, and stars themselves. */
  read(text, { settings }, { locale }) {
    const most = mostOf(settings);
    const drawn = /^(★{1,10})☆{0,10}$/u.exec(text)?.[1];
    if (drawn !== undefined) return { value: String([...drawn].length) };
    const [stars = "", of] = text.split("/");
    const number = readNumber(stars, locale)?.replace(/\.0*$/, "");
    if (number === undefined || (of !== undefined && readNumber(of, locale) !== String(most))) return { why: "number" };
    return number.includes(".") ? { why: "whole_number" } : { value: number };
  },
  text: ({ value }, { settings }, { formats }) =>
    `${formats.number(value)}/${formats.number(String(mostOf(settings)))}`,
  show: ({ value }, { settings }) => <Stars value={value} most={mostOf(settings)} />,
  width: 120,
  FilterInput: RatingInput,
  figures: ["avg", "min", "max"],
  /** The mean of all, as the service gives it. */
  total: (text, { settings }, formats) =>
    `${formats.number(String(Math.round(Number(text) * 10) / 10))}/${formats.number(String(mostOf(settings)))}`,
  chart: { rank: 0, inOrder: true },
  design: {
    icon: IconStar,
    settings: [{ name: "max", kind: "count", least: 3, most: 10, usual: USUAL }],
    startsWith: true,
  },
};
