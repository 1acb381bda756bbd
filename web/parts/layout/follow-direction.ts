// Components turn around with the language, when another one is chosen.
import { useDirection } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { directionOf } from "../../texts/languages.ts";

export function FollowDirection(): null {
  const { i18n } = useTranslation();
  const { dir, setDirection } = useDirection();
  const wanted = directionOf(i18n.language);
  useEffect(() => {
    if (dir !== wanted) setDirection(wanted);
  }, [dir, wanted, setDirection]);
  return null;
}
