// Takes a question about many things of a kind at once; gives a way to ask about one. Those who ask while an answer is under way
// are asked about together in the next one, so that nobody gets an answer from before he asked. Kinds do not wait for each other.
import { AsyncResource } from "node:async_hooks";

export function askedInBatches<In, Out>(
  kindOf: (about: In) => string,
  ask: (kind: string, about: readonly In[]) => Promise<readonly Out[]>,
): (about: In) => Promise<Out> {
  interface Waiting {
    readonly about: In;
    readonly resolve: (answer: Out) => void;
    readonly reject: (error: unknown) => void;
  }
  /** Of each kind that is being asked about: those who come next. */
  const waiting = new Map<string, Waiting[]>();
  // Asked for many: outside of what any one of them is bound to, such as the end of its request.
  const sendOutside = AsyncResource.bind((kind: string) => void send(kind));

  async function send(kind: string): Promise<void> {
    for (let batch = waiting.get(kind) ?? []; batch.length > 0; batch = waiting.get(kind) ?? []) {
      waiting.set(kind, []);
      try {
        const answers = await ask(
          kind,
          batch.map(({ about }) => about),
        );
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Out); // as many as were asked about
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    waiting.delete(kind);
  }

  return (about) =>
    new Promise<Out>((resolve, reject) => {
      const kind = kindOf(about);
      const next = waiting.get(kind);
      if (next) next.push({ about, resolve, reject });
      else {
        waiting.set(kind, [{ about, resolve, reject }]);
        sendOutside(kind);
      }
    });
}
