import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { originalStack } from "./original-stack.ts";

test("the stack of an error in a built program names its sources", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dossier-stack-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const source = path.join(folder, "thrower.ts");
  writeFileSync(
    source,
    "interface Unused {\n  readonly a: string;\n}\n\nexport const made = () => new Error('made');\n",
  );
  const outfile = path.join(folder, "built", "program.js");
  buildSync({ entryPoints: [source], outfile, bundle: true, format: "esm", sourcemap: true });
  const program = pathToFileURL(outfile).href;
  const { made } = (await import(/* @vite-ignore */ program)) as { made: () => Error };
  const stack = made().stack ?? "";
  // As the engine tells it; where it runs with maps of its own, there is nothing left to do.
  const plain = `Error: made\n    at made (${program}:3:24)\n    at file:///elsewhere.js:1:2`;
  expect(originalStack(plain, program)).toContain(`at made (${source}:5:`);
  expect(originalStack(plain, program)).toContain("at file:///elsewhere.js:1:2");
  expect(originalStack(stack, program)).not.toContain("program.js");
  expect(originalStack(stack, program)).toContain("Error: made");
});

test("a stack without the program, or of one that has no map, stays as it is", () => {
  const stack = "Error: x\n    at y (file:///nowhere/main.js:1:2)";
  expect(originalStack(stack, "file:///nowhere/main.js")).toBe(stack);
  expect(originalStack(stack)).toBe(stack);
});
