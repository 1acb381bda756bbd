// Saves what is changed on a page. It keeps the focus while it works and when there is nothing to save: a disabled button loses it.
import { Button, type ButtonProps, Loader } from "@mantine/core";

interface SaveButtonProps extends Omit<ButtonProps, "loading" | "disabled" | "onClick"> {
  readonly isSaving: boolean;
  readonly isDisabled: boolean;
  readonly onSave: () => void;
}

export function SaveButton({ isSaving, isDisabled, onSave, ...props }: SaveButtonProps) {
  const isOff = isSaving || isDisabled;
  return (
    <Button
      {...props}
      aria-disabled={isOff}
      aria-busy={isSaving}
      data-disabled={isDisabled}
      leftSection={isSaving ? <Loader size={14} color="currentColor" /> : undefined}
      onClick={() => {
        if (!isOff) onSave();
      }}
    />
  );
}
