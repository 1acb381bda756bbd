// Takes a question that many ask at once; gives one way to ask it that sends it once for all who wait. Nobody gets an
// answer to a question that was sent before he asked: what he knew to be true by then is in his answer.

export function coalesceRequests<T>(ask: (about: string) => Promise<T>): (about: string) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  /** Those who came after the last one was sent. */
  const following = new Map<string, Promise<T>>();

  const send = (about: string): Promise<T> => {
    const answer = ask(about);
    underWay.set(about, answer);
    const done = () => {
      if (underWay.get(about) === answer) underWay.delete(about);
    };
    answer.then(done, done);
    return answer;
  };

  return (about) => {
    const sent = underWay.get(about);
    if (sent === undefined) return send(about);
    let next = following.get(about);
    if (next === undefined) {
      const sendNext = () => {
        following.delete(about);
        return send(about);
      };
      next = sent.then(sendNext, sendNext);
      following.set(about, next);
    }
    return next;
  };
}
