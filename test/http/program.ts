// A program as others have written it for this wire: it knows fetch, the interface and nothing of ours. It walks the menu,
// reads forms, builds requests from them by their names, permissions and rules, and takes the label of a button as its value.

// biome-ignore lint/suspicious/noExplicitAny: a program takes what is sent as it comes.
type Json = any;

export interface Told {
  readonly status: number;
  readonly body: Json;
}

/** What somebody who knows the record type would type, by `<module>/<controller>` and field. */
export type Typed = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function createProgram(base: string, token: string, typed: Typed = {}) {
  const bearer = { authorization: `Bearer ${token}` };
  let count = 0;
  let references = 0;

  const told = async (response: Response): Promise<Told> => ({ status: response.status, body: await response.json() });
  const get = async (path: string): Promise<Told> => told(await fetch(`${base}/${path}`, { headers: bearer }));
  const post = async (path: string, entries: readonly (readonly [string, string])[] | object): Promise<Told> => {
    if (!Array.isArray(entries)) {
      const headers = { ...bearer, "content-type": "application/json" };
      return told(await fetch(`${base}/${path}`, { method: "POST", headers, body: JSON.stringify(entries) }));
    }
    const body = new FormData();
    for (const [key, value] of entries) body.append(key, value);
    return told(await fetch(`${base}/${path}`, { method: "POST", headers: bearer, body }));
  };

  /** Every record type of the navigation, by the address of its list. */
  async function menu(): Promise<string[]> {
    const { body } = await get("development_base/menus/app_menu.json");
    const modules: Json[] = Object.values(body.data);
    return modules
      .flatMap((module) => Object.values<Json>(module.children))
      .map(({ url }) => String(url))
      .filter((url) => /^\w+\/\w+\/index$/.test(url))
      .map((url) => url.slice(0, -"/index".length));
  }

  const keyOf = (name: readonly string[]) => `data${name.map((part) => `[${part}]`).join("")}`;
  const ruleOf = (rules: Json[], name: string) => rules.find(({ rule }) => rule === name);
  const unique = () => {
    count += 1;
    return `probe${count}`;
  };

  async function valueFor(type: string, element: Json, rules: Json[]): Promise<string | undefined> {
    const known = typed[type]?.[element.name.at(-1)];
    if (known !== undefined) return known.replace("{unique}", unique());
    const isUnique = ruleOf(rules, "\\kernel\\validation::notDuplicate") !== undefined;
    if (ruleOf(rules, "\\kernel\\validation::isValidEmail")) return `${unique()}@example.com`;
    if (ruleOf(rules, "\\kernel\\validation::isValidPhoneNumber")) return "+49 30 901820";
    if (ruleOf(rules, "\\kernel\\validation::isIntNumber")) return String(ruleOf(rules, "min")?.params[0] ?? 3);
    const oneOf = ruleOf(rules, "in") ?? ruleOf(rules, "some");
    if (oneOf) return String(oneOf.params[0]);
    switch (element.template) {
      case "checkbox":
        return "1";
      case "date":
        return element.method.includes("time") ? "2099-03-14 09:30:00" : "2099-03-14";
      case "reference": {
        const { body } = await get(String(element.href).slice(1));
        // Another one each time: two references of a record may have to differ.
        references += 1;
        const rows = body.paginate?.data ?? [];
        return rows[references % Math.max(1, rows.length)]?.[body.paginate.primary_key];
      }
      case "input":
      case "textarea": {
        if (element.method === "url") return "https://example.com/";
        if (element.method === "json") return "{}";
        if (ruleOf(rules, "decimal")) return "12";
        const longest = Number(ruleOf(rules, "max_length")?.params[0] ?? 200);
        return (isUnique ? unique() : `Typed ${element.label}`).slice(-longest);
      }
      default:
        return undefined;
    }
  }

  /** The elements that are sent: those with 2, and those with 0 in a parent with 2. */
  function* editable(element: Json, parent: number): Generator<Json> {
    const own = Number(element.permission);
    const permission = own === 0 ? parent : own;
    if (permission !== 2) return;
    if (element.template === "grid" || element.template === "submit" || element.template === "related") return;
    if (element.children === undefined) yield element;
    for (const child of element.children ?? []) yield* editable(child, permission);
  }

  const buttons = (view: Json): Json[] => view.form.children.filter((one: Json) => one.template === "submit");

  /** What an add or edit sends: keys from names, values from the rules or the record, one button. */
  async function entriesFor(type: string, view: Json, id?: string): Promise<(readonly [string, string])[]> {
    const entries: (readonly [string, string])[] = [["data[normalized]", "1"]];
    if (id !== undefined) entries.push([`data[${view.alias}][id]`, id]);
    const record = view.data[view.alias];
    for (const child of view.form.children) {
      for (const element of editable(child, Number(view.form.permission))) {
        const field = element.name.at(-1);
        const held = record[field];
        if (typeof held === "object" && held !== null) continue;
        const value =
          held ?? (id === undefined ? await valueFor(type, element, view.filterRules[field] ?? []) : undefined);
        if (value !== undefined) entries.push([keyOf(element.name), value]);
      }
    }
    const [button] = buttons(view);
    if (button) entries.push([keyOf(button.name), button.label]);
    return entries;
  }

  return { get, post, menu, entriesFor, buttons, editable, keyOf };
}

export type Program = ReturnType<typeof createProgram>;
