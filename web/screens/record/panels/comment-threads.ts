// Takes comments, the oldest first; gives them as threads: who answered an answer stands in the same thread. Pure.
import type { Comment } from "../../../../client/records/comments.ts";

export interface Thread {
  /** Of the comment that began it. */
  readonly id: string;
  /** Undefined where that was deleted and only answers are left. */
  readonly root: Comment | undefined;
  readonly answers: readonly Comment[];
}

export function threadsOf(comments: readonly Comment[]): readonly Thread[] {
  const known = new Map(comments.map((comment) => [comment.id, comment]));
  const rootOf = (comment: Comment): string => {
    let id = comment.id;
    let parent = comment.parentId;
    // A comment is answered after it was written, so this ends; the bound is for data that is not ours.
    for (let steps = 0; parent !== null && steps < 100; steps += 1) {
      id = parent;
      parent = known.get(parent)?.parentId ?? null;
    }
    return id;
  };
  const threads = new Map<string, { id: string; root: Comment | undefined; answers: Comment[] }>();
  for (const comment of comments) {
    const id = rootOf(comment);
    const thread = threads.get(id) ?? { id, root: known.get(id), answers: [] };
    if (comment.id !== id) thread.answers.push(comment);
    threads.set(id, thread);
  }
  return [...threads.values()];
}
