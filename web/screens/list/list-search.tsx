// The search box of a list: what is typed reaches the address after a breath. `/` begins, Escape clears.
import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCommands } from "../../parts/commands/commands.ts";
import classes from "./list-screen.module.css";

const BREATH_MS = 250;

interface ListSearchProps {
  readonly value: string;
  readonly label: string;
  readonly onSearch: (text: string) => void;
}

export function ListSearch({ value, label, onSearch }: ListSearchProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const box = useRef<HTMLInputElement>(null);
  const send = useDebouncedCallback((next: string) => {
    sent.current = next.trim();
    onSearch(sent.current);
  }, BREATH_MS);

  // The address was changed by somebody else: back, a link, another view.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);

  const type = (next: string): void => {
    setText(next);
    send(next);
  };
  useCommands([
    {
      id: "list-search",
      label: t("table.search"),
      group: "list",
      keys: "/",
      icon: IconSearch,
      run: () => box.current?.focus(),
    },
  ]);
  return (
    <TextInput
      ref={box}
      type="search"
      size="xs"
      className={classes.search ?? ""}
      value={text}
      aria-label={label}
      placeholder={t("list.search")}
      leftSection={<IconSearch size={15} stroke={1.6} aria-hidden="true" />}
      rightSection={text !== "" && <CloseButton size="xs" aria-label={t("actions.clear")} onClick={() => type("")} />}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && text !== "") {
          event.preventDefault();
          type("");
        }
      }}
    />
  );
}
