// A password input whose reveal button can be reached and is named, and whose error is announced as one.
import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ "aria-label": t("login.show_password") }}
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  );
}
