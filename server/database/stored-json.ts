// Takes JSON that a column holds and the shape it must have; gives it parsed. What has another shape was not written by
// this service: the error names the place, never the value.
import type { z } from "zod";

export function storedJson<Shape>(schema: z.ZodType<Shape>, text: string | null | undefined, place: string): Shape {
  try {
    return schema.parse(JSON.parse(text ?? "null"));
  } catch (cause) {
    throw new Error(`${place} holds JSON of a shape that this version does not know`, { cause });
  }
}
