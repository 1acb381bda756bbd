// Addresses of the wire: `/{module}/{controller}/{operation}.json?…`, and the record type keys that name their middle.

/** `<module>/<controller>`, such as `crm/leads`. */
export type RecordTypeKey = string;

export type QueryValue = string | number | boolean | undefined | null;

/** Takes a path without suffix and its parameters; gives the address of the JSON answer. */
export function wireAddress(path: string, query: Readonly<Record<string, QueryValue>> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, value === true ? "1" : String(value));
  }
  const text = parameters.toString();
  return `/${path.split("/").filter(Boolean).join("/")}.json${text === "" ? "" : `?${text}`}`;
}

export interface MenuAddress {
  readonly module: string;
  readonly controller: string;
  readonly operation: string;
}

/** Takes the url of a menu entry (`crm/leads/index`); undefined where it does not name a record type. */
export function readMenuUrl(url: string): MenuAddress | undefined {
  const [module, controller, operation = "index", ...rest] = url.split(/[?#]/, 1)[0]?.split("/").filter(Boolean) ?? [];
  if (module === undefined || controller === undefined || rest.length > 0) return undefined;
  return { module, controller, operation: operation.replace(/\.json$/, "") };
}
