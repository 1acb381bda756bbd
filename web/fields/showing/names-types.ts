// Whether a text names record types, by a setting of its field. Pure: lists ask for every text, before anything is fetched.

export const namesTypes = (names: unknown): boolean => names === "record-type" || names === "record-types";
