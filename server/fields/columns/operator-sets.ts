// The operators that kinds of values share, for field types to choose from.
import type { Operator } from "../field-type.ts";

export const presenceOperators: readonly Operator[] = ["is null", "is not null"];

export const equalityOperators: readonly Operator[] = ["=", "!=", ...presenceOperators];

/** Values that are told apart, not ordered: choices, flags, references. */
export const memberOperators: readonly Operator[] = ["=", "!=", "in", "not in", ...presenceOperators];

/** Values on a line: numbers, dates. */
export const orderOperators: readonly Operator[] = ["<", "<=", ">", ">=", "between", ...memberOperators];

/** Texts that are searched in, not ordered. */
export const wordingOperators: readonly Operator[] = ["contains", "starts with", "ends with", ...equalityOperators];
