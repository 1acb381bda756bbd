// Takes a document (a form, a workflow, an access policy) as it was and as it is, both as JSON text; gives what came, went and changed, by
// the names that its parts have: tabs, sections, fields, stages, transitions, rights. Pure.

export interface DocumentChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

type Tree = Readonly<Record<string, unknown>>;

/** Deeper than any document is. */
const DEEPEST = 40;

/** What a part is known by, the kind of part before its name. */
const identities = ["key", "field", "grid", "related", "section", "tab", "name"] as const;
/** What people call it. */
const titles = ["label", "name", "section", "tab", "field", "grid", "related", "key"] as const;

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);
const textIn = (tree: Tree, names: readonly string[]): string | undefined => {
  const name = names.find((one) => typeof tree[one] === "string" && tree[one] !== "");
  return name === undefined ? undefined : String(tree[name]);
};
const isPart = (value: unknown): value is Tree => isTree(value) && textIn(value, identities) !== undefined;
const isParts = (value: unknown): value is readonly Tree[] =>
  Array.isArray(value) && value.length > 0 && value.every(isPart);

interface Part {
  readonly title: string;
  /** Without the parts within it. */
  readonly own: string;
}

function partsOf(text: string): ReadonlyMap<string, Part> {
  const found = new Map<string, Part>();
  const put = (id: string, part: Part): void => {
    let free = id;
    for (let number = 2; found.has(free); number += 1) free = `${id} ${number}`;
    found.set(free, part);
  };
  const visit = (tree: Tree, depth: number): void => {
    if (depth > DEEPEST) return;
    for (const value of Object.values(tree)) {
      for (const part of isParts(value) ? value : []) {
        const kind = identities.find((one) => typeof part[one] === "string" && part[one] !== "") ?? "";
        const rest = Object.entries(part).filter(([, one]) => !isParts(one));
        put(`${kind} ${String(part[kind])}`, { title: textIn(part, titles) ?? "", own: JSON.stringify(rest) });
        visit(part, depth + 1);
      }
    }
  };
  const document = readTree(text);
  visit(document, 0);
  for (const [name, value] of Object.entries(document))
    if (!isParts(value)) put(`= ${name}`, { title: name, own: JSON.stringify(value) });
  return found;
}

function readTree(text: string): Tree {
  try {
    const parsed: unknown = JSON.parse(text);
    return isTree(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

export function documentChanges(before: string, after: string): DocumentChanges {
  const [was, is] = [partsOf(before), partsOf(after)];
  const titlesOf = (parts: ReadonlyMap<string, Part>, isMeant: (id: string, part: Part) => boolean) => [
    ...new Set([...parts].flatMap(([id, part]) => (isMeant(id, part) ? [part.title] : []))),
  ];
  return {
    added: titlesOf(is, (id) => !was.has(id)),
    removed: titlesOf(was, (id) => !is.has(id)),
    changed: titlesOf(is, (id, part) => was.has(id) && was.get(id)?.own !== part.own),
  };
}
