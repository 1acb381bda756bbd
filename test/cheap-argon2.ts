// Stands in for the password hash while the suite runs: the same one, at the least cost. What it costs in the service is for
// those who guess passwords, and password.test.ts holds the service to it.
import { createRequire } from "node:module";

const real: typeof import("@node-rs/argon2") = createRequire(import.meta.url)("@node-rs/argon2");

/** How often a password was hashed or verified in this process. */
export const passwordWork = { done: 0 };

/** A hash names its own cost: to verify one is as cheap as it was to make. */
export const hash: typeof real.hash = (password, options) => {
  passwordWork.done += 1;
  return real.hash(password, { ...options, memoryCost: 64, timeCost: 1 });
};

export const verify: typeof real.verify = (...given) => {
  passwordWork.done += 1;
  return real.verify(...given);
};
