// Takes a question about many things at once; gives a way to ask about one. Those who ask while an answer is under way are
// asked about together in the next one, so that nobody gets an answer from before he asked.
import { AsyncResource } from "node:async_hooks";

export function askedInBatches<In, Out>(
  ask: (about: readonly In[]) => Promise<readonly Out[]>,
): (about: In) => Promise<Out> {
  interface Waiting {
    readonly about: In;
    readonly resolve: (answer: Out) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let isAsking = false;
  // Asked for many: outside of what any one of them is bound to, such as the end of its request.
  const sendOutside = AsyncResource.bind(() => void send());

  async function send(): Promise<void> {
    isAsking = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const answers = await ask(batch.map(({ about }) => about));
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Out); // as many as were asked about
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isAsking = false;
  }

  return (about) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ about, resolve, reject });
      if (!isAsking) sendOutside();
    });
}
