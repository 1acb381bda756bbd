// Takes two documents; gives what differs between them, place by place, in as many words as a person reads. Pure.
import { isSameJson, type Json } from "./design.ts";

export interface Difference {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

const MOST = 200;
const LONGEST = 200;

const told = (value: Json | undefined): string | null => {
  if (value === undefined || value === null) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A key may be called like something that every object has. */
const ownAt = (value: { readonly [key: string]: Json }, key: string): Json | undefined =>
  Object.hasOwn(value, key) ? value[key] : undefined;

/** Lists of named things are compared by name: one that moves is no change of all the others. */
const names = ["name", "key", "value", "id", "label"] as const;

function byName(list: readonly Json[]): ReadonlyMap<string, Json> | undefined {
  for (const name of names) {
    const keys = list.map((one) => (isObject(one) ? one[name] : undefined));
    if (keys.every((key) => typeof key === "string") && new Set(keys).size === keys.length && keys.length > 0) {
      return new Map(keys.map((key, index) => [key, list[index] ?? null]));
    }
  }
  return undefined;
}

export function differences(before: Json | undefined, after: Json | undefined): readonly Difference[] {
  const found: Difference[] = [];
  walk(before, after, "", found);
  return found;
}

function walk(before: Json | undefined, after: Json | undefined, path: string, found: Difference[]): void {
  if (found.length >= MOST || isSameJson(before ?? null, after ?? null)) return;
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      walk(ownAt(before, key), ownAt(after, key), at(key), found);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const [from, to] = [byName(before), byName(after)];
    if (from && to) {
      const count = found.length;
      for (const key of new Set([...from.keys(), ...to.keys()])) walk(from.get(key), to.get(key), at(key), found);
      if (found.length === count)
        found.push({ path: at("order"), from: [...from.keys()].join(", "), to: [...to.keys()].join(", ") });
      return;
    }
  }
  found.push({ path, from: told(before), to: told(after) });
}
