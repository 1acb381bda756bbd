// Asks before something is done that can't be undone at once: what it means, a way out that has the focus, and the
// refusal where there is one. Never does anything by itself.
import { Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { reasonsOf } from "../../../client/transport/wire-failure.ts";

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly title: string;
  readonly lead: string;
  /** The word on the button that does it. */
  readonly action: string;
  readonly onConfirm: () => void;
  /** The mutation behind it. */
  readonly change: { readonly error: Error | null; readonly isPending: boolean; readonly reset: () => void };
  /** What else there is to choose. */
  readonly children?: ReactNode;
  /** For what needs more room. */
  readonly size?: "lg";
  /** Cannot be closed while it is done: whoever did would not learn what became of it. */
  readonly isHeld?: boolean;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, close, title, lead, action, onConfirm, change, children, size = "md", isHeld = false } = props;
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      size={size}
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld}
      closeButtonProps={{ "aria-label": t("actions.close"), disabled: isHeld }}
      onExitTransitionEnd={change.reset}
    >
      <Stack gap="md">
        <Text size="sm">{lead}</Text>
        {change.error && <Refusal reasons={reasonsOf(change.error)} />}
        {children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} disabled={isHeld} data-autofocus>
            {t("actions.cancel")}
          </Button>
          <Button color="red" loading={change.isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** One sentence; where the service names several things, these below it. */
function Refusal({ reasons: [first = "", ...others] }: { readonly reasons: readonly string[] }) {
  return (
    <Text component="div" size="sm" c="var(--mantine-color-error)" role="alert">
      {first}
      {others.length > 0 && (
        <List size="sm" mt={4}>
          {others.map((one) => (
            <List.Item key={one}>{one}</List.Item>
          ))}
        </List>
      )}
    </Text>
  );
}
