// The order of test files: those that take longest first. A long file that starts last leaves the
// other workers without work.
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { compareCodes } from '../packages/api/src/compare-names.ts'
import { inRepository, readSeconds, secondsFile, takes } from './changed-tests.ts'

/** The browser of the smoke tests would leave cores idle at the end. */
const order = ['smoke', 'node', 'screens', 'system']

export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = readSeconds(secondsFile)
    const of = ({ moduleId }: TestSpecification) => takes(inRepository(moduleId), seconds)
    return specifications.toSorted(
      (a, b) =>
        // Files of a project follow each other, since they share the modules of a worker.
        order.indexOf(a.project.name) - order.indexOf(b.project.name) ||
        of(b) - of(a) ||
        compareCodes(a.moduleId, b.moduleId),
    )
  }
}
