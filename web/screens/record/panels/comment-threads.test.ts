import { expect, test } from "vitest";
import type { Comment } from "../../../../client/records/comments.ts";
import { threadsOf } from "./comment-threads.ts";

const comment = (id: string, parentId: string | null = null): Comment => ({
  id,
  parentId,
  body: id,
  created: "",
  modified: "",
  authorId: null,
  author: null,
  mayDelete: false,
});

test("answers to answers stand in the thread that they began in, in the order in which they were written", () => {
  const threads = threadsOf([comment("1"), comment("2"), comment("3", "1"), comment("4", "3"), comment("5", "2")]);
  expect(threads.map(({ id, answers }) => [id, answers.map((one) => one.id)])).toEqual([
    ["1", ["3", "4"]],
    ["2", ["5"]],
  ]);
});

test("answers to a comment that is gone stay, under nothing", () => {
  expect(threadsOf([comment("3", "1"), comment("4", "1")])).toMatchObject([
    { id: "1", root: undefined, answers: [{ id: "3" }, { id: "4" }] },
  ]);
});
