// Takes the files of a run; gives them in the order in which they take long: whoever comes late must be quick, or one
// worker is at it alone while the others have gone. Those that keep a processor busy come among those that wait for something.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Real browsers; then what speaks to services and engines, and waits for them; then the rest, which is soon done. */
const slow = ["/test/web/", "/test/"];

const kindOf = ({ moduleId }: TestSpecification): number => {
  const at = slow.findIndex((folder) => moduleId.includes(folder));
  return at === -1 ? slow.length : at;
};

export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // The base class puts large files first, and long ones once it knows.
    const sorted = await super.sort(files);
    const [busy, waiting, quick] = [0, 1, 2].map((kind) => sorted.filter((file) => kindOf(file) === kind));
    return [...mixed(busy ?? [], waiting ?? []), ...(quick ?? [])];
  }
}

/** Each in its order, and as many of either left at any time as is their share. */
function mixed<Item>(some: readonly Item[], others: readonly Item[]): Item[] {
  const placed = (items: readonly Item[]) => items.map((item, at) => ({ item, place: (at + 0.5) / items.length }));
  return [...placed(some), ...placed(others)].sort((a, b) => a.place - b.place).map(({ item }) => item);
}
