// The input of a code for the second step: of an authenticator app, or a recovery code.
import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

export function CodeField(props: TextInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("login.code")}
      description={t("login.code_lead")}
      name="otp"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      dir="ltr"
      {...props}
    />
  );
}
