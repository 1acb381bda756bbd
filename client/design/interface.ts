// The description of the interface (OpenAPI), for whoever asks; and the part of it that is about one subject.
import type { Call } from "../transport/transport.ts";

type Json = Readonly<Record<string, unknown>>;

export interface InterfaceDocument {
  readonly info: Json;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags?: readonly string[] }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> } & Json;
}

export const readInterface = (call: Call, signal?: AbortSignal): Promise<InterfaceDocument> =>
  call<InterfaceDocument>("metadata/openapi/index", { signal });

const SCHEMAS = "#/components/schemas/";

/** The paths of one tag with the schemas that they use: the whole is more than a page can show. */
export function onSubject(document: InterfaceDocument, tag: string): InterfaceDocument {
  const { schemas } = document.components;
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([, item]) =>
      Object.values(item).some(({ tags }) => tags?.includes(tag) ?? false),
    ),
  );
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      if (name === "$ref" && typeof part === "string" && part.startsWith(SCHEMAS)) {
        const schema = part.slice(SCHEMAS.length);
        if (used.has(schema)) continue;
        used.add(schema);
        visit(schemas[schema]);
      } else {
        visit(part);
      }
    }
  };
  visit(paths);
  visit({ ...document.components, schemas: undefined });
  return {
    ...document,
    tags: document.tags.filter(({ name }) => name === tag),
    paths,
    components: {
      ...document.components,
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))),
    },
  };
}
