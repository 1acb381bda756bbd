// What everybody needs who is logged in, fetched as one: the frame, home and lists, with their English texts.
import { inside } from "../texts/en/inside.ts";
import * as table from "../texts/en/table.ts";
import { addEnglish } from "../texts/languages.ts";

addEnglish({ ...inside, ...table });

export { CanonicalAddress } from "../parts/shell/canonical-address.tsx";
export { Shell } from "../parts/shell/shell.tsx";
export { HomeScreen } from "./home/home-screen.tsx";
export { ListScreen } from "./list/list-screen.tsx";
