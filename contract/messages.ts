// A sentence as data: which one (its code) and what stands in it (its parameters). Codes and parameters are stable and go
// over the wire; the words are made last, in the reader's language (texts/write.ts).
import type { English } from "./texts/en/index.ts";

export type MessageCode = keyof English;

export interface Message {
  readonly code: MessageCode;
  readonly params: Readonly<Record<string, MessageParam>>;
}

export type MessageParam = string | number | Message | readonly (string | Message)[];

/** What is wrong with a value, before it is known which field it was sent for. */
export interface Fault {
  readonly fault: MessageCode;
  readonly params: Readonly<Record<string, MessageParam>>;
}

/** `{name}`, and `{name|one|more}`, which chooses by a number. */
type NameIn<Hole extends string> = Hole extends `${infer Name}|${string}` ? Name : Hole;
type NamesIn<Text extends string> = Text extends `${string}{${infer Hole}}${infer Rest}`
  ? NameIn<Hole> | NamesIn<Rest>
  : never;

/** What explains a failure is a sentence of the catalog, never a text that somebody wrote beside it. */
type ValueOf<Name> = Name extends "reason"
  ? Message
  : Name extends "reasons" | "faults"
    ? readonly Message[]
    : MessageParam;

export type ParamsOf<Code extends MessageCode> = {
  readonly [Name in NamesIn<English[Code]>]: ValueOf<Name>;
};

type Given<Params> = keyof Params extends never ? [] : [params: Params];

export const say = <Code extends MessageCode>(code: Code, ...[params]: Given<ParamsOf<Code>>): Message => ({
  code,
  params: (params ?? {}) as Message["params"],
});

export const fault = <Code extends MessageCode>(
  code: Code,
  ...[params]: Given<Omit<ParamsOf<Code>, "field">>
): Fault => ({ fault: code, params: (params ?? {}) as Fault["params"] });

export const isMessage = (param: MessageParam | undefined): param is Message =>
  typeof param === "object" && "code" in param;

/** Says of which field; `field` is its label. */
export const about = (field: string | Message, { fault: code, params }: Fault): Message => ({
  code,
  params: { field, ...params },
});

type Verb<Code = MessageCode> = Code extends `to_${infer Name}` ? Name : never;

/** What somebody would do, as it stands in sentences about permissions. */
export const verb = (operation: Verb): Message => ({ code: `to_${operation}`, params: {} });

/** Sentences by `<controller>.<field>`. */
export type MessagesByField = Readonly<Record<string, readonly Message[]>>;
