// Waits in a hook until something is so, with the suite's patience: expect.poll works in tests alone.
import { vi } from "vitest";

export const until = (isSo: () => Promise<boolean>): Promise<unknown> => vi.waitUntil(isSo, { timeout: 40_000 });
