// Takes the files of a run; gives them in the order in which they take long: whoever comes late must be quick, or one
// worker is at it alone while the others have gone.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Real browsers and engines first; within a folder the base class puts large files first, and long ones once it knows. */
const slow = ["/test/web/", "/test/engine/", "/test/"];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = slow.findIndex((folder) => moduleId.includes(folder));
  return at === -1 ? slow.length : at;
};

export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
