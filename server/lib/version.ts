// Gives the version of the program, as package.json tells it.
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./root.ts";

const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { readonly version: string };

export const programVersion: string = version;
