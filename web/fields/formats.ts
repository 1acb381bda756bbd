// The formats of whoever is logged in: the app's language, and the clock of their profile.
import { useTranslation } from "react-i18next";
import { useSession } from "../session/use-session.ts";
import { type Formats, formatsOf } from "./make-formats.ts";

export function useFormats(): Formats {
  const { i18n } = useTranslation();
  const { identity } = useSession();
  return formatsOf(i18n.language, identity?.user?.hour_format);
}
