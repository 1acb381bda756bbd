// Stands in for the password hash while the suite runs: the same one, at the least cost. What it costs in the service is for
// those who guess passwords, and password.test.ts holds the service to it.
import { createRequire } from "node:module";

const real: typeof import("@node-rs/argon2") = createRequire(import.meta.url)("@node-rs/argon2");

/** A hash names its own cost: to verify one is as cheap as it was to make. */
export const hash: typeof real.hash = (password, options) =>
  real.hash(password, { ...options, memoryCost: 64, timeCost: 1 });

export const { verify } = real;
