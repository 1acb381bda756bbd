import { expect, test } from "vitest";
import { onSubject } from "./interface.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test("the part of a description that is about one subject has its paths and every schema that they lead to", () => {
  const document = {
    info: { title: "Dossier" },
    tags: ["a", "b"].map((name) => ({ name, description: name })),
    paths: {
      "/a": { get: { tags: ["a"], answer: ref("first") } },
      "/b": { post: { tags: ["b"], answer: ref("other") } },
    },
    components: {
      schemas: { first: { items: ref("second") }, second: { parent: ref("first") }, other: {}, failure: {} },
      responses: { failed: ref("failure") },
    },
  };
  const part = onSubject(document, "a");
  expect(Object.keys(part.paths)).toEqual(["/a"]);
  expect(part.tags.map(({ name }) => name)).toEqual(["a"]);
  expect(Object.keys(part.components.schemas)).toEqual(["first", "second", "failure"]);
  expect(Object.keys(onSubject(document, "none").paths)).toEqual([]);
});
