// Takes a body with files in it; gives it as form-data, keys in brackets as the wire has them. Everything else that is
// sent goes as JSON.

const isFile = (value: unknown): value is Blob => typeof Blob !== "undefined" && value instanceof Blob;

export function hasFiles(value: unknown): boolean {
  if (isFile(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasFiles);
}

export function toFormData(body: object): FormData {
  const form = new FormData();
  const write = (key: string, value: unknown): void => {
    if (value === undefined) return;
    if (isFile(value)) form.append(key, value, value instanceof File ? value.name : "file");
    else if (typeof value === "object" && value !== null) {
      for (const [name, part] of Object.entries(value)) write(`${key}[${name}]`, part);
    } else form.append(key, value === null ? "" : String(value));
  };
  for (const [name, value] of Object.entries(body)) write(name, value);
  return form;
}
