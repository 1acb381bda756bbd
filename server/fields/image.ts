// A picture, kept as an attachment of which this holds the id.
import { z } from "zod";
import { attachment, attachmentExamples, megabyte } from "./attachment.ts";
import type { FieldType } from "./field-type.ts";

const settings = z.strictObject({
  maxBytes: z
    .int()
    .min(1)
    .max(50 * megabyte)
    .default(5 * megabyte),
});

export const image: FieldType<z.output<typeof settings>> = {
  ...attachment,
  id: "image",
  label: "Image",
  input: { template: "upload", method: "image" },
  inputSettings: ({ settings: { maxBytes } }) => ({ max_bytes: maxBytes, accept: ["image/*"] }),
  settings,
  examples: { settings: {}, ...attachmentExamples },
};
