// How the file is read: what was recognized in a line, and all of it to change below.
import { Collapse, NumberInput, Select, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown } from "@tabler/icons-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Dialect, FoundFile } from "../../../../client/records/imports.ts";
import classes from "../import.module.css";

interface DialectPanelProps {
  readonly dialect: FoundFile["dialect"];
  readonly isPending: boolean;
  readonly onChange: (dialect: Partial<Dialect>) => void;
}

const formats = ["csv", "xlsx", "json", "jsonl"] as const;
const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"];
const separators = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const;
const separatorNames = ["comma", "semicolon", "tab", "pipe"] as const;
const orders = ["dmy", "mdy", "ymd"] as const;
/** The same day in each, kept from being reordered within text from right to left. */
const exampleDates = {
  dmy: "\u206631/12/2026\u2069",
  mdy: "\u206612/31/2026\u2069",
  ymd: "\u20662026-12-31\u2069",
} as const;
const signs = [".", ","] as const;

export function DialectPanel({ dialect, isPending, onChange }: DialectPanelProps) {
  const { t } = useTranslation();
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const isText = dialect.format === "csv";
  const isTable = isText || dialect.format === "xlsx";
  const separator = separatorNames.find((name) => separators[name] === dialect.separator);
  const words = [
    dialect.format.toUpperCase(),
    ...(isText ? [separator ? t(`imports.dialect.separators.${separator}`) : dialect.separator] : []),
    ...(dialect.format === "xlsx" ? [dialect.sheet] : [dialect.encoding.toUpperCase()]),
    ...(isTable
      ? [
          dialect.header_row === 0
            ? t("imports.dialect.no_header")
            : t("imports.dialect.header", { row: dialect.header_row }),
        ]
      : []),
    t(`imports.dialect.orders.${dialect.date_order}`),
    dialect.decimal_sign === "." ? "1,234.50" : "1.234,50",
  ];
  return (
    <div className={classes.dialect}>
      <UnstyledButton className={classes.dialectHead ?? ""} aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        <span>
          <strong>{t("imports.dialect.title")}</strong> <span className={classes.quiet}>{words.join(" · ")}</span>
        </span>
        <IconChevronDown size={16} stroke={1.6} aria-hidden="true" data-open={isOpen || undefined} />
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        <div className={classes.dialectFields} aria-busy={isPending}>
          <Select
            label={t("imports.dialect.format")}
            data={formats.map((value) => ({ value, label: t(`imports.dialect.formats.${value}`) }))}
            value={dialect.format}
            allowDeselect={false}
            onChange={(value) => {
              const format = formats.find((one) => one === value);
              if (format) onChange({ format });
            }}
          />
          {dialect.format === "xlsx" && (
            <Select
              label={t("imports.dialect.sheet")}
              data={[...new Set([...dialect.sheets, dialect.sheet])].filter((name) => name !== "")}
              value={dialect.sheet === "" ? (dialect.sheets[0] ?? null) : dialect.sheet}
              allowDeselect={false}
              onChange={(sheet) => sheet !== null && onChange({ sheet })}
            />
          )}
          {dialect.format !== "xlsx" && (
            <Select
              label={t("imports.dialect.encoding")}
              data={encodings.map((value) => ({ value, label: value.toUpperCase() }))}
              value={dialect.encoding}
              allowDeselect={false}
              onChange={(encoding) => encoding !== null && onChange({ encoding })}
            />
          )}
          {isText && (
            <>
              <Select
                label={t("imports.dialect.separator")}
                data={[
                  ...separatorNames.map((name) => ({
                    value: separators[name] as string,
                    label: t(`imports.dialect.separators.${name}`),
                  })),
                  ...(separator ? [] : [{ value: dialect.separator, label: dialect.separator }]),
                ]}
                value={dialect.separator}
                allowDeselect={false}
                onChange={(value) => value !== null && onChange({ separator: value })}
              />
              <Select
                label={t("imports.dialect.quote")}
                data={[
                  { value: '"', label: t("imports.dialect.quotes.double") },
                  { value: "'", label: t("imports.dialect.quotes.single") },
                  { value: "", label: t("imports.dialect.quotes.none") },
                ]}
                value={dialect.quote}
                allowDeselect={false}
                onChange={(quote) => quote !== null && onChange({ quote })}
              />
            </>
          )}
          {isTable && (
            <NumberInput
              label={t("imports.dialect.header_row")}
              description={t("imports.dialect.header_row_lead")}
              inputWrapperOrder={["label", "input", "description"]}
              min={0}
              max={1000}
              allowDecimal={false}
              value={dialect.header_row}
              onChange={(value) =>
                typeof value === "number" && value !== dialect.header_row && onChange({ header_row: value })
              }
            />
          )}
          <Select
            label={t("imports.dialect.dates")}
            data={orders.map((value) => ({
              value,
              label: `${t(`imports.dialect.orders.${value}`)} (${exampleDates[value]})`,
            }))}
            value={dialect.date_order}
            allowDeselect={false}
            onChange={(value) => {
              const order = orders.find((one) => one === value);
              if (order) onChange({ date_order: order });
            }}
          />
          <Select
            label={t("imports.dialect.numbers")}
            data={signs.map((value) => ({ value, label: value === "." ? "1,234.50" : "1.234,50" }))}
            value={dialect.decimal_sign}
            allowDeselect={false}
            onChange={(value) => {
              const sign = signs.find((one) => one === value);
              if (sign) onChange({ decimal_sign: sign });
            }}
          />
        </div>
      </Collapse>
    </div>
  );
}
