// The filter of a list while it is built: what is complete takes effect after a breath, what is not stays here. What is
// changed from elsewhere (another view, back) is taken over.
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { type Group, readWhere, writeWhere } from "./condition.ts";

const BREATH_MS = 300;

const textOf = (where: unknown): string => JSON.stringify(where ?? null);

/** `atOnce`: nobody is typing. */
export type PutFilter = (group: Group, atOnce?: boolean) => void;

export function useFilterDraft(where: unknown, onChange: (where: unknown) => void): readonly [Group, PutFilter] {
  const [group, setGroup] = useState<Group>(() => readWhere(where));
  const sent = useRef(textOf(where));
  const send = useDebouncedCallback(
    (next: unknown) => {
      if (textOf(next) === sent.current) return;
      sent.current = textOf(next);
      onChange(next);
    },
    { delay: BREATH_MS, flushOnUnmount: true },
  );
  useEffect(() => {
    if (textOf(where) === sent.current) return;
    sent.current = textOf(where);
    setGroup(readWhere(where));
  }, [where]);
  return [
    group,
    (next, atOnce = false) => {
      setGroup(next);
      send(writeWhere(next));
      if (atOnce) send.flush();
    },
  ];
}
