// Takes the name of a script that runs in a process of its own; gives the file to start Node with: the script and all that it
// imports in one piece. To load hundreds of files at each start would cost more than what is started.
import path from "node:path";
import { root } from "../../server/lib/root.ts";

/** Below `test`. */
export const scripts = [
  "backup/restore-process",
  "engine/engine-process",
  "engine/job-process",
  "engine/main-process",
] as const;

export const compiledInto: string = path.join(root, "dist", "test", "processes");

/** Made before (compile-scripts.ts). */
export const compiled = (script: (typeof scripts)[number]): string => path.join(compiledInto, `${script}.mjs`);
