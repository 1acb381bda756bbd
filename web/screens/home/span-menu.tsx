// Which days the dashboard is about. Chosen here, kept in the address.
import { Button, Menu, Modal } from "@mantine/core";
import { IconCalendar, IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../fields/formats.ts";
import type { RangePickerProps } from "../../fields/inputs/range-picker.tsx";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";
import { namedSpans, ownSpan, type SpanText } from "../../views/spans.ts";

const RangePicker = lazyPart<RangePickerProps>(
  async () => (await import("../../fields/inputs/range-picker.tsx")).RangePicker,
);

interface SpanMenuProps {
  readonly span: SpanText | undefined;
  readonly onChange: (span: SpanText | undefined) => void;
}

const ANY = "any" as const;

export function SpanMenu({ span, onChange }: SpanMenuProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [isPicking, setPicking] = useState(false);
  const own = ownSpan(span);
  const named = namedSpans.find((one) => one === span);
  const text = own ? formats.days(own.from, own.to) : t(`dashboard.spans.${named ?? ANY}`);
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={200} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconCalendar size={15} stroke={1.6} />}
            rightSection={<IconChevronDown size={14} stroke={1.6} />}
            aria-label={`${t("dashboard.dates")}: ${text}`}
          >
            {text}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup
            value={own ? "own" : (named ?? ANY)}
            onChange={(value) => onChange(value === ANY ? undefined : value)}
          >
            {([ANY, ...namedSpans] as const).map((one) => (
              <Menu.RadioItem key={one} value={one} closeMenuOnClick>
                {t(`dashboard.spans.${one}`)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item onClick={() => setPicking(true)}>{t("dashboard.spans.own")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={isPicking}
        onClose={() => setPicking(false)}
        title={t("dashboard.spans.own")}
        size="auto"
        closeButtonProps={{ "aria-label": t("actions.close") }}
      >
        {isPicking && (
          <RangePicker
            from={own?.from ?? null}
            to={own?.to ?? null}
            onPick={(from, to) => {
              onChange(`${from}..${to}`);
              setPicking(false);
            }}
          />
        )}
      </Modal>
    </>
  );
}
