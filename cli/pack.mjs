// Around `npm pack`: before it everything is built and the locked versions go along, so that who installs the package gets what
// was tested; after it they are taken away again.
import { copyFileSync, rmSync } from "node:fs";
import path from "node:path";
import { prepare, root } from "./prepare.mjs";

const shrinkwrap = path.join(root, "npm-shrinkwrap.json");

if (process.argv[2] === "before") {
  await prepare({ server: true, web: true });
  copyFileSync(path.join(root, "package-lock.json"), shrinkwrap);
} else rmSync(shrinkwrap, { force: true });
