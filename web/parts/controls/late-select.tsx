// A choice of one among many, whose list is made when it first has the focus: hundreds of time zones are not drawn with the page.
import { Select, type SelectProps } from "@mantine/core";
import { useLateList } from "./use-late-list.ts";

export const LateSelect = (props: SelectProps) => <Select {...props} {...useLateList()} />;
