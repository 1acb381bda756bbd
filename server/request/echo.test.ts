// What a refused answer repeats of what was sent: values as they came, files by what the sender knows of them.
import { expect, test } from "vitest";
import { echo } from "./echo.ts";
import { UploadedFile } from "./tree.ts";

test("files are told by name and size alone, wherever they are", () => {
  const file = new UploadedFile("/var/spool/4f1c", "plan.pdf", "application/pdf", 1_204);
  const told = { file_name: "plan.pdf", size: "1204" };
  const sent = {
    title: "Plan",
    note: null,
    file,
    children: [{ name: "a", file }, "b"],
    group: { files: [file], empty: [] },
  };
  expect(echo(sent)).toEqual({
    title: "Plan",
    note: null,
    file: told,
    children: [{ name: "a", file: told }, "b"],
    group: { files: [told], empty: [] },
  });
});
