// What can be done here and now, each with its keys: screens say what they offer while they are on the screen. The
// palette lists it, the sheet of shortcuts explains it, one listener runs it.
import type { Icon } from "@tabler/icons-react";
import { useLayoutEffect, useRef, useSyncExternalStore } from "react";

export const commandGroups = ["go", "record", "list", "app"] as const;
export type CommandGroup = (typeof commandGroups)[number];

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly group: CommandGroup;
  /** `e`, `mod+S`, `Space`, or one after the other: `g l`. */
  readonly keys?: string | undefined;
  /** Another key for the same: for keyboards that lack the first, or for hands that know it from elsewhere. */
  readonly also?: string | undefined;
  /** Whether the keys mean this now; then it is for the keyboard alone, and not in the palette. */
  readonly when?: (() => boolean) | undefined;
  readonly icon?: Icon | undefined;
  /** Of metadata, in place of the other. */
  readonly iconName?: string | undefined;
  /** What it opens has an input: what is typed until it is there goes into it. */
  readonly opensInput?: boolean | undefined;
  /** Runs again and again while its key is held down. */
  readonly repeats?: boolean | undefined;
  /** Left out where the screen hears the keys by itself, as the clipboard's: it is only explained. */
  readonly run?: (() => void) | undefined;
}

interface Source {
  commands: readonly Command[];
  signature: string;
}

const sources = new Set<Source>();
const listeners = new Set<() => void>();
let all: readonly Command[] = [];

function changed(): void {
  all = [...sources].flatMap(({ commands }) =>
    // Looked up again when it runs: what it closes over may be newer by then.
    commands.map((command) => ({
      ...command,
      run: command.run && (() => current(command.id)?.run?.()),
      when: command.when && (() => current(command.id)?.when?.() ?? false),
    })),
  );
  for (const listener of listeners) listener();
}

function current(id: string): Command | undefined {
  for (const { commands } of sources) {
    const found = commands.find((command) => command.id === id);
    if (found) return found;
  }
  return undefined;
}

export const allCommands = (): readonly Command[] => all;

/** Offers commands for as long as the component is on the screen. */
export function useCommands(commands: readonly Command[]): void {
  const source = useRef<Source>({ commands, signature: "" });
  useLayoutEffect(() => {
    const mine = source.current;
    mine.commands = commands;
    const signature = JSON.stringify(commands.map(({ id, label, keys }) => [id, label, keys]));
    if (mine.signature === signature) return;
    mine.signature = signature;
    if (sources.has(mine)) changed();
  });
  // Before the screen is painted: a key that is pressed the moment it appears is heard.
  useLayoutEffect(() => {
    const mine = source.current;
    sources.add(mine);
    changed();
    return () => {
      sources.delete(mine);
      changed();
    };
  }, []);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useAllCommands = (): readonly Command[] => useSyncExternalStore(subscribe, allCommands);
