// Where rows of a spreadsheet are pasted without a keyboard: a table goes on at once, what was typed by the button. The service
// reads them as it reads a file.
import { Button, Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useHeldPlace } from "../../session/held-place.ts";
import classes from "./import.module.css";

interface PasteAreaProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onRows: (text: string) => void;
}

/** More than this is not shown again where it could not be read. */
const MOST_SHOWN = 500_000;

export function PasteArea({ text, onText, onRows }: PasteAreaProps) {
  const { t } = useTranslation();
  useHeldPlace(text !== "");
  return (
    <form
      className={classes.paste}
      onSubmit={(event) => {
        event.preventDefault();
        onRows(text);
      }}
    >
      <Textarea
        label={t("imports.paste")}
        description={t("imports.paste_lead")}
        dir="auto"
        rows={4}
        w="100%"
        spellCheck={false}
        autoFocus={text !== ""}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData("text/plain");
          // What was begun by hand goes on by hand, and a word is no table.
          if (text !== "" || !/[\t\n\r]/u.test(pasted.trim())) return;
          event.preventDefault();
          if (pasted.length <= MOST_SHOWN) onText(pasted);
          onRows(pasted);
        }}
      />
      <Button type="submit" variant="default" disabled={text.trim() === ""}>
        {t("imports.use_rows")}
      </Button>
    </form>
  );
}
