// A picture: JPEG, PNG, WebP or GIF, by what is in it.
import { z } from "zod";
import { fileExamples, megabyte, storedFile } from "./columns/stored-file.ts";
import type { FieldType } from "./field-type.ts";

const pictures = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const;

const settings = z.strictObject({
  maxBytes: z
    .int()
    .min(1)
    .max(50 * megabyte)
    .default(5 * megabyte),
});

export const image: FieldType<z.output<typeof settings>> = {
  ...storedFile,
  id: "image",
  label: "Image",
  input: { template: "upload", method: "image" },
  inputSettings: ({ settings: { maxBytes } }) => ({ max_bytes: maxBytes, accept: [...pictures] }),
  fileRule: ({ settings: { maxBytes } }) => ({ maxBytes, accept: [], pictures: true }),
  settings,
  examples: { settings: {}, ...fileExamples },
};
