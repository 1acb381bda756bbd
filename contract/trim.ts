// Takes a text and a few characters; gives it without those at its end. A pattern such as `/0+$/` would try every run of
// them in the middle too, which takes minutes on a hostile text.

export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
