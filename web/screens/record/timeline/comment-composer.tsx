// Where a comment is written: a text that grows, people offered after an @, Ctrl + Enter to send. What was typed stays
// when sending fails.
import { Button, Group, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconMessage } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Mentionable } from "../../../../client/records/comments.ts";
import type { RecordPlace } from "../../../../client/records/record-place.ts";
import { useCommands } from "../../../parts/commands/commands.ts";
import { useWrite } from "../../../parts/use-write.ts";
import { mentionableQuery } from "../../../queries.ts";
import { useHeldPlace } from "../../../session/held-place.ts";
import classes from "./comments.module.css";
import { forgetText, textKey, useKeptCaret, useKeptText } from "./kept-text.ts";

interface CommentComposerProps {
  readonly place: RecordPlace;
  readonly label: string;
  readonly submit: string;
  readonly initial?: string;
  readonly isFocused?: boolean;
  /** Its key takes one there from anywhere on the page. */
  readonly hasKey?: boolean;
  /** Which answer or which comment; nothing for a new one. */
  readonly what?: readonly string[];
  readonly onSend: (body: string) => Promise<unknown>;
  readonly onSent: () => Promise<void>;
  readonly onCancel?: (() => void) | undefined;
}

/** What is being mentioned where the caret stands. */
const beingMentioned = /(?<![\p{L}\p{N}._@+-])@([\p{L}\p{N}._@+-]{0,64})$/u;

export function CommentComposer({
  place,
  label,
  submit,
  initial = "",
  isFocused,
  hasKey,
  what = [],
  onSend,
  onSent,
  onCancel,
}: CommentComposerProps) {
  const { t } = useTranslation();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const key = textKey(place, ...what);
  const [text, setText] = useKeptText(key, initial);
  useKeptCaret(key, area);
  useHeldPlace(text.trim() !== initial.trim());
  const go = (): void => area.current?.focus();
  useCommands(hasKey ? [{ id: "comment", label, group: "record", keys: "m", icon: IconMessage, run: go }] : []);
  const [typed, setTyped] = useState<string>();
  const [chosen, setChosen] = useState(0);
  const [search] = useDebouncedValue(typed, 120);
  const { data: found } = useQuery({ ...mentionableQuery(place, search ?? ""), enabled: search !== undefined });
  // A name that is there in full needs no offer, unless it could still become another.
  const isWhole = found?.length === 1 && found[0]?.user_name.toLowerCase() === typed?.toLowerCase();
  const people = typed === undefined || isWhole ? [] : (found ?? []);
  const send = useWrite({
    mutationFn: async () => {
      await onSend(text.trim());
      // Before it may stand elsewhere, with what was sent.
      forgetText(key);
      await onSent();
    },
    onSuccess: () => setText(""),
  });
  const cancel =
    onCancel &&
    ((): void => {
      forgetText(key);
      onCancel();
    });

  useEffect(() => {
    if (!isFocused || !area.current) return;
    area.current.focus();
    area.current.setSelectionRange(area.current.value.length, area.current.value.length);
  }, [isFocused]);

  const look = (): void => {
    const input = area.current;
    const before = input?.value.slice(0, input.selectionStart) ?? "";
    setTyped(beingMentioned.exec(before)?.[1]);
    setChosen(0);
  };
  const mention = ({ user_name: name }: Mentionable): void => {
    const input = area.current;
    if (!input) return;
    const before = input.value.slice(0, input.selectionStart).replace(beingMentioned, `@${name} `);
    const after = input.value.slice(input.selectionStart);
    setText(before + after);
    setTyped(undefined);
    requestAnimationFrame(() => {
      input.focus();
      input.setSelectionRange(before.length, before.length);
    });
  };
  const press = (event: KeyboardEvent): void => {
    const person = people[chosen];
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (text.trim() !== "" && !send.isPending) send.mutate();
    } else if (person && (event.key === "Enter" || event.key === "Tab")) {
      event.preventDefault();
      mention(person);
    } else if (person && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      setChosen((chosen + (event.key === "ArrowDown" ? 1 : people.length - 1)) % people.length);
    } else if (event.key === "Escape" && (people.length > 0 || onCancel)) {
      event.stopPropagation();
      if (people.length > 0) setTyped(undefined);
      else cancel?.();
    }
  };
  const optionId = (index: number): string => `${id}-${index}`;
  const isOpen = people.length > 0;
  return (
    <div className={classes.composer}>
      <Textarea
        ref={area}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={10_000}
        value={text}
        placeholder={t("comments.placeholder")}
        aria-label={label}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-people` : undefined}
        aria-activedescendant={isOpen ? optionId(chosen) : undefined}
        error={send.error?.message}
        onChange={(event) => {
          setText(event.currentTarget.value);
          look();
        }}
        onClick={look}
        onKeyDown={press}
        onBlur={() => setTyped(undefined)}
      />
      {isOpen && (
        <div id={`${id}-people`} role="listbox" aria-label={t("comments.people")} className={classes.people}>
          {people.map((person, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses from within the text
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text
            <div
              key={person.id}
              id={optionId(index)}
              role="option"
              aria-selected={index === chosen}
              className={classes.person}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => mention(person)}
            >
              <span>{person.name}</span>
              <span className={classes.userName}>@{person.user_name}</span>
            </div>
          ))}
        </div>
      )}
      {(text.trim() !== "" || onCancel) && (
        <Group gap={6} justify="flex-end" className={classes.bar ?? ""}>
          <Text size="xs" c="dimmed" className={classes.keys ?? ""}>
            {t("comments.keys")}
          </Text>
          {cancel && (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={cancel}>
              {t("actions.cancel")}
            </Button>
          )}
          <Button
            size="compact-sm"
            disabled={text.trim() === ""}
            loading={send.isPending}
            onClick={() => send.mutate()}
          >
            {submit}
          </Button>
        </Group>
      )}
    </div>
  );
}
