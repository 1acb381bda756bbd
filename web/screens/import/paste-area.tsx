// Where rows of a spreadsheet are pasted without a keyboard: a table goes on at once, what was typed by the button.
import { Button, Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { pastedRows } from "../list/paste/use-pasted-rows.ts";
import { type Block, readBlock } from "../list/range/cell-block.ts";
import classes from "./import.module.css";

interface PasteAreaProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onRows: (block: Block) => void;
}

export function PasteArea({ text, onText, onRows }: PasteAreaProps) {
  const { t } = useTranslation();
  return (
    <form
      className={classes.paste}
      onSubmit={(event) => {
        event.preventDefault();
        onRows(readBlock(text));
      }}
    >
      <Textarea
        label={t("imports.paste")}
        description={t("imports.paste_lead")}
        dir="auto"
        rows={4}
        w="100%"
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onPaste={(event) => {
          // What was begun by hand goes on by hand.
          const block = text === "" ? pastedRows(event.clipboardData) : undefined;
          if (block === undefined) return;
          event.preventDefault();
          onRows(block);
        }}
      />
      <Button type="submit" variant="default" disabled={text.trim() === ""}>
        {t("imports.use_rows")}
      </Button>
    </form>
  );
}
