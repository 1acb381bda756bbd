import { expect, test } from "vitest";
import { onceIn } from "./shown-once.ts";

test("links become whole addresses, each of its kind, and the secret of a key is found; nothing else is", () => {
  const found = (answer: unknown) => onceIn(answer, "https://x.example");
  const links = {
    "7": "/access_controls/users/reset_forgotten_password?token=a",
    b: "/access_controls/users/signup?invitation=c",
  };
  expect(found({ invitation_links: links, data: { users: { id: "7" } } })).toEqual([
    { kind: "password_link", value: "https://x.example/access_controls/users/reset_forgotten_password?token=a" },
    { kind: "invitation_link", value: "https://x.example/access_controls/users/signup?invitation=c" },
  ]);
  expect(found({ data: { api_keys: { id: "1", secret: "dk_1" } } })).toEqual([{ kind: "api_key", value: "dk_1" }]);
  expect(found({ webhook_secret: "whsec_1", data: {} })).toEqual([{ kind: "webhook_secret", value: "whsec_1" }]);
  expect(found({ feed_address: "/feeds/list.rss?key=a" })).toEqual([
    { kind: "feed_address", value: "https://x.example/feeds/list.rss?key=a" },
  ]);
  for (const answer of [undefined, null, "", [], {}, { data: [] }, { data: { leads: { secret: "x" } } }]) {
    expect(found(answer)).toEqual([]);
  }
});
