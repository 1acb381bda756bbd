// Takes a document (a form, a workflow, an access policy) as it was and as it is, both as JSON text; gives what came, went, changed and was
// moved, by the names that people know its parts by: tabs, sections, fields, stages, transitions, rights. Pure.

export interface DocumentChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly moved: readonly string[];
  /** It is another, and none of the above says how. */
  readonly isOther: boolean;
}

/** What the document does not say itself: what a field is called, a part without a name, a right. */
export type WordFor = (kind: "field" | "unnamed" | "setting", name: string) => string;

type Tree = Readonly<Record<string, unknown>>;

/** Deeper than any document is. */
const DEEPEST = 40;

/** The lists of parts that documents have: by what a part is known, and what people call it. */
const lists: Readonly<Record<string, { readonly ids: readonly string[]; readonly titles: readonly string[] }>> = {
  tabs: { ids: ["tab"], titles: ["tab"] },
  sections: { ids: ["section"], titles: ["section"] },
  elements: { ids: ["field", "grid", "related"], titles: ["label"] },
  stages: { ids: ["key"], titles: ["name"] },
  transitions: { ids: ["name"], titles: ["label"] },
};

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);

interface Part {
  /** By what it is known: what it is, and its name. */
  readonly id: string;
  readonly title: string;
  /** Without the parts within it. */
  readonly own: string;
  /** The part and the list that it is in. */
  readonly within: string;
  readonly list: string;
}

type Parts = ReadonlyMap<string, Part>;

/** The same text for the same values, in whatever order their names are. */
const spelled = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    isTree(one) ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) : one,
  );

const isParts = (name: string, value: unknown): value is readonly unknown[] =>
  Object.hasOwn(lists, name) && Array.isArray(value);
const ownOf = (tree: Tree): string =>
  spelled(Object.fromEntries(Object.entries(tree).filter(([name, value]) => !isParts(name, value))));

function partsOf(document: Tree, wordFor: WordFor): Parts {
  const found = new Map<string, Part>();
  const put = (id: string, part: Omit<Part, "id">): string => {
    let free = id;
    for (let number = 2; found.has(free); number += 1) free = `${id} ${number}`;
    found.set(free, { id: free, ...part });
    return free;
  };
  const visit = (tree: Tree, within: string, depth: number): void => {
    if (depth > DEEPEST) return;
    for (const [list, { ids, titles }] of Object.entries(lists)) {
      const value = tree[list];
      for (const part of isParts(list, value) ? value.filter(isTree) : []) {
        const kind = ids.find((one) => typeof part[one] === "string");
        if (kind === undefined) continue;
        const name = String(part[kind]);
        const given = titles.map((one) => part[one]).find((one) => typeof one === "string" && one !== "");
        const title = typeof given === "string" ? given : wordFor(list === "elements" ? "field" : "unnamed", name);
        visit(part, put(`${kind} ${name}`, { title, own: ownOf(part), within, list }), depth + 1);
      }
    }
  };
  visit(document, "", 0);
  for (const [name, value] of Object.entries(document))
    if (!isParts(name, value))
      put(`= ${name}`, { title: wordFor("setting", name), own: spelled(value), within: "", list: "=" });
  return found;
}

/** Sections and tabs have no name but their heading: one that has some of the same parts is the same under another heading. By what it is now, what it was. */
function renamed(was: Parts, is: Parts): ReadonlyMap<string, string> {
  const before = new Map<string, string>();
  for (const list of ["sections", "tabs"]) {
    const gone = [...was.values()].filter((part) => part.list === list && !is.has(part.id));
    for (const part of [...is.values()].filter((one) => one.list === list && !was.has(one.id))) {
      const parts = new Set(
        [...is.values()].filter(({ within }) => within === part.id).map(({ id }) => before.get(id) ?? id),
      );
      const taken = new Set(before.values());
      const same = gone.find(
        ({ id }) => !taken.has(id) && [...was.values()].some((one) => one.within === id && parts.has(one.id)),
      );
      if (same) before.set(part.id, same.id);
    }
  }
  return before;
}

/** Of places that things had, in their order now, the fewest without which the others go up. */
function outOfOrder(places: readonly number[]): ReadonlySet<number> {
  const best: { readonly length: number; readonly previous: number }[] = [];
  let last = -1;
  for (const [index, place] of places.entries()) {
    let previous = -1;
    for (let at = 0; at < index; at += 1)
      if ((places[at] ?? 0) < place && (best[at]?.length ?? 0) > (best[previous]?.length ?? 0)) previous = at;
    best.push({ length: (best[previous]?.length ?? 0) + 1, previous });
    if ((best[index]?.length ?? 0) > (best[last]?.length ?? 0)) last = index;
  }
  const moved = new Set(places);
  for (let at = last; at >= 0; at = best[at]?.previous ?? -1) moved.delete(places[at] ?? -1);
  return moved;
}

/** What is in both, but in another list or at another place in it. */
function movedOf(was: Parts, is: readonly Part[]): ReadonlySet<Part> {
  const places = new Map([...was.keys()].map((id, place) => [id, place]));
  const moved = new Set<Part>();
  const stayed = new Map<string, Part[]>();
  for (const part of is) {
    const before = was.get(part.id);
    if (before === undefined || part.list === "=") continue;
    if (before.within !== part.within || before.list !== part.list) moved.add(part);
    else stayed.set(part.within + part.list, [...(stayed.get(part.within + part.list) ?? []), part]);
  }
  for (const parts of stayed.values()) {
    const others = outOfOrder(parts.map(({ id }) => places.get(id) ?? 0));
    for (const part of parts) if (others.has(places.get(part.id) ?? 0)) moved.add(part);
  }
  return moved;
}

function readTree(text: string): Tree | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isTree(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export function documentChanges(before: string, after: string, wordFor: WordFor): DocumentChanges {
  const [from, to] = [readTree(before), readTree(after)];
  const was = partsOf(from ?? {}, wordFor);
  const found = partsOf(to ?? {}, wordFor);
  const earlier = renamed(was, found);
  // By the names that they had.
  const is = [...found.values()].map((part) => ({
    ...part,
    id: earlier.get(part.id) ?? part.id,
    within: earlier.get(part.within) ?? part.within,
  }));
  const left = new Set(is.map(({ id }) => id));
  const moved = movedOf(was, is);
  const titles = (parts: readonly Part[]): readonly string[] => [...new Set(parts.map(({ title }) => title))];
  const told = {
    added: titles(is.filter(({ id }) => !was.has(id))),
    removed: titles([...was.values()].filter(({ id }) => !left.has(id))),
    changed: titles(is.filter(({ id, own }) => was.has(id) && was.get(id)?.own !== own)),
    moved: titles(is.filter((part) => moved.has(part))),
  };
  const isSame = from && to ? spelled(from) === spelled(to) : before === after;
  return { ...told, isOther: !isSame && Object.values(told).every((names) => names.length === 0) };
}
