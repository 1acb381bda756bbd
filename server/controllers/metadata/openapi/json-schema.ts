// The few shapes of JSON Schema that the description of the interface is made of.

export type Schema = Readonly<Record<string, unknown>>;

export const text = (description?: string): Schema => ({ type: "string", ...told(description) });
export const whole = (description?: string): Schema => ({ type: "integer", ...told(description) });
export const flag = (description?: string): Schema => ({ enum: ["0", "1"], ...told(description) });
export const list = (items: Schema, description?: string): Schema => ({ type: "array", items, ...told(description) });
export const anything: Schema = {};

export const object = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  description?: string,
): Schema => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required: [...required] } : {}),
  ...told(description),
});

export const mapOf = (values: Schema, description?: string): Schema => ({
  type: "object",
  additionalProperties: values,
  ...told(description),
});

export const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });

export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const told = (description: string | undefined): Schema => (description === undefined ? {} : { description });
