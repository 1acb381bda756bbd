import { expect, test } from "vitest";
import { createClient } from "./client.ts";
import { createTransport } from "./transport/transport.ts";

test("a client sends each call through its own transport", async () => {
  const sent: string[] = [];
  const clientFor = (name: string) =>
    createClient(
      createTransport({
        baseUrl: `https://${name}.example`,
        fetch: async (input) => {
          sent.push(String(input));
          return Response.json({ data: { unread: 3 }, errors: [] });
        },
      }),
    );
  const [one, two] = [clientFor("one"), clientFor("two")];
  expect(await one.notifications.countUnread()).toBe(3);
  await two.comments.changeComment("7", "Hello");
  expect(sent.map((address) => new URL(address).hostname)).toEqual(["one.example", "two.example"]);
});
