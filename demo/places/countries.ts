// The countries that the demo does business in. Their order is part of the demo: who lives where is drawn by it.
import { americas } from "./americas.ts";
import { apac } from "./apac.ts";
import type { Country } from "./country.ts";
import { emea } from "./emea.ts";

export const countries: readonly Country[] = [...americas, ...emea, ...apac];
