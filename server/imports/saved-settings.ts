// What a saved mapping says, as far as a caller may know it, and what of it stays when a caller saves it who sees less. Takes and
// gives the JSON of `settings`. Fields that the caller may not see are not named, nor are the columns and defaults that go there. Fields
// that are gone are treated like them. Pure.
import { savedParameters } from "../../contract/import-settings.ts";
import type { Caller } from "../access/caller.ts";
import { maySeeRemoved } from "../access/field-mask.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { sightOf } from "./mapping/targets.ts";

export interface SettingsReader {
  readonly snapshot: Snapshot;
  readonly type: RecordType;
  readonly caller: Caller;
}

type Settings = Readonly<Record<string, unknown>>;

const saved: ReadonlySet<string> = new Set(savedParameters);

const isObject = (value: unknown): value is Settings =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object, or the text of one, as an import takes it. */
function objectIn(value: unknown): Settings {
  try {
    const read: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return isObject(read) ? read : {};
  } catch {
    return {};
  }
}

const namesIn = (value: unknown): readonly string[] =>
  typeof value === "string"
    ? value
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")
    : [];

const fieldOf = (value: unknown): string => {
  const field = isObject(value) ? value.field : value;
  return typeof field === "string" ? field : "";
};

type Picks = (path: string) => boolean;

/** What of the settings is about certain fields. */
function aboutFields(settings: Settings, picks: Picks) {
  const mapping = Object.entries(objectIn(settings.mapping)).filter(([, value]) => picks(fieldOf(value)));
  const defaults = Object.entries(objectIn(settings.defaults)).filter(([name]) => picks(name));
  return { mapping, defaults, key: namesIn(settings.key).filter(picks) };
}

/** A field that is gone may have been hidden: the two are not to be told apart. A column that goes nowhere names none. */
const seenBy =
  ({ snapshot, type, caller }: SettingsReader): Picks =>
  (path) => {
    if (path === "") return true;
    const sight = sightOf(snapshot, type, caller, path);
    return sight === "seen" || (sight === "gone" && maySeeRemoved(caller));
  };

export function seenSettings(reader: SettingsReader, text: string | null): Settings {
  const settings = objectIn(text);
  const { mapping, defaults, key } = aboutFields(settings, seenBy(reader));
  const known = Object.entries(settings).flatMap(([name, value]): [string, unknown][] => {
    if (name === "mapping") return [[name, Object.fromEntries(mapping)]];
    if (name === "defaults") return [[name, Object.fromEntries(defaults)]];
    if (name === "key") return key.length === 0 ? [] : [[name, key.join(",")]];
    return saved.has(name) ? [[name, value]] : [];
  });
  return Object.fromEntries(known);
}

/** The first name in what was sent that stands for no field its sender sees. Hidden or not there: the answer is the same. */
export function unseenName({ snapshot, type, caller }: SettingsReader, sent: string): string | undefined {
  const settings = objectIn(sent);
  const paths = [
    ...Object.values(objectIn(settings.mapping)).map(fieldOf),
    ...Object.keys(objectIn(settings.defaults)),
    ...namesIn(settings.key),
  ];
  return paths.find((path) => path !== "" && sightOf(snapshot, type, caller, path) !== "seen");
}

/** What was sent, with what is stored about fields that its sender may not see. */
export function withUnseen(reader: SettingsReader, stored: string | null, sent: string | null): string | null {
  const isSeen = seenBy(reader);
  const hidden = aboutFields(objectIn(stored), (path) => !isSeen(path));
  const isNone = hidden.mapping.length === 0 && hidden.defaults.length === 0 && hidden.key.length === 0;
  if (isNone || sent === null) return sent;
  const settings = objectIn(sent);
  const { mapping, defaults, key } = settings;
  return JSON.stringify({
    ...settings,
    mapping: { ...Object.fromEntries(hidden.mapping), ...objectIn(mapping) },
    defaults: { ...Object.fromEntries(hidden.defaults), ...objectIn(defaults) },
    ...(hidden.key.length > 0 ? { key: [...new Set([...namesIn(key), ...hidden.key])].join(",") } : {}),
  });
}
