// A file of any kind, or of the kinds that `accept` lists.
import { z } from "zod";
import { coded } from "../lib/issue-message.ts";
import { fileExamples, megabyte, storedFile } from "./columns/stored-file.ts";
import type { FieldType } from "./field-type.ts";

const settings = z.strictObject({
  maxBytes: z
    .int()
    .min(1)
    .max(1024 * megabyte)
    .default(25 * megabyte),
  /** Media types, `image/*` for all of a kind; an empty list takes everything. */
  accept: z
    .array(z.string().regex(/^[a-z]+\/(?:\*|[a-z0-9][a-z0-9.+-]*)$/u, coded("bad_media_type")))
    .max(50)
    .default([]),
});

export const file: FieldType<z.output<typeof settings>> = {
  ...storedFile,
  id: "file",
  label: "File",
  input: { template: "upload", method: "file" },
  inputSettings: ({ settings: { maxBytes, accept } }) => ({ max_bytes: maxBytes, accept }),
  fileRule: ({ settings: { maxBytes, accept } }) => ({ maxBytes, accept, pictures: false }),
  settings,
  examples: { settings: { accept: ["application/pdf", "image/*"] }, ...fileExamples },
};
