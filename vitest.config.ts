import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These wait for leases and limits in real time, and load the machine little meanwhile. */
const waiting =
  /\/test\/(sandbox\/crash\/|cli\/driver-test|cli\/standalone\/(outage|resume|unasked|create\/refused-pods|members\/(dead-keys|members))|unit\/kube\/lease)/

/** By size, as vitest has it, the longest tests would be last, for they are short files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const long = ({ moduleId }: TestSpecification) => waiting.test(moduleId)
    return [...sorted.filter(long), ...sorted.filter(file => !long(file))]
  }
}

export default defineConfig({
  define: { COE_VERSION: '"0.0.0-test"', COE_COMMIT: '"test"' },
  test: {
    include: ['test/{unit,cli,golden,sandbox,contract}/**/*.test.ts'],
    globalSetup: ['test/support/option-use-check.ts'],
    pool: 'threads',
    maxWorkers: 8, // on two cores: more than half of the time is waiting for sockets
    sequence: { sequencer: LongestFirst },
    isolate: false, // nothing is mocked and no module keeps state, so files may share a worker
    // for what hangs: what takes its time on a busy machine is no failure
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
