// Takes the test files that reach a fault; gives them with those first that are likely to notice it soon: nothing else runs once a
// test has failed.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests beside the code come before scenarios on the wire. */
const isBeside = ({ moduleId }: TestSpecification): boolean => !moduleId.includes("/test/");

export default class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // The base class puts long ones first.
    const sorted = (await super.sort(files)).reverse();
    return [...sorted.filter(isBeside), ...sorted.filter((file) => !isBeside(file))];
  }
}
