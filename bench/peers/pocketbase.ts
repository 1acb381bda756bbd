// PocketBase is one program, which it publishes for download only. We install what npm carries and nothing else.
import type { Peer } from "./peer.ts";

export const pocketbase: Peer = {
  name: "PocketBase",
  start: async () =>
    `no npm package carries its program for ${process.platform} on ${process.arch}, and nothing else is downloaded here`,
};
