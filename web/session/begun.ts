// Remembers in this browser that somebody sees records of their organization: from then on it is not asked any more.
import { ownKey } from "./own-key.ts";

export const isKnownToHaveBegun = (): boolean => localStorage.getItem(ownKey("begun")) !== null;

export const rememberBegun = (): void => localStorage.setItem(ownKey("begun"), "1");
