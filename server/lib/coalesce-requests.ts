// Takes a question that many ask at once; gives one way to ask it that sends it once for all who wait. Nobody gets an
// answer to a question that was sent before he asked: what he knew to be true by then is in his answer.

/** `about` says all that the answer depends on; what is needed beside it to ask is the same for everybody who asks about it. */
export function coalesceRequests<T, Rest extends unknown[] = []>(
  ask: (about: string, ...rest: Rest) => Promise<T>,
): (about: string, ...rest: Rest) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  /** Those who came after the last one was sent. */
  const following = new Map<string, Promise<T>>();

  const send = (about: string, ...rest: Rest): Promise<T> => {
    const answer = ask(about, ...rest);
    underWay.set(about, answer);
    const done = () => {
      if (underWay.get(about) === answer) underWay.delete(about);
    };
    answer.then(done, done);
    return answer;
  };

  return (about, ...rest) => {
    const sent = underWay.get(about);
    if (sent === undefined) return send(about, ...rest);
    let next = following.get(about);
    if (next === undefined) {
      const sendNext = () => {
        following.delete(about);
        return send(about, ...rest);
      };
      next = sent.then(sendNext, sendNext);
      following.set(about, next);
    }
    return next;
  };
}
