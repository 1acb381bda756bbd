// One line of text on the page of its record; one that names record types, by what those are called.
import type { StoredProps } from "../field-type.ts";
import { namesTypes } from "./names-types.ts";
import { TypeNames } from "./type-names.tsx";

export const StoredName = ({ element, plain }: StoredProps) =>
  namesTypes(element.names) ? <TypeNames keys={plain} /> : plain;
