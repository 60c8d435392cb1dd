import { defineConfig } from 'vitest/config'

export default defineConfig({
  define: { COE_VERSION: '"0.0.0-test"', COE_COMMIT: '"test"' },
  test: {
    include: ['test/{unit,cli,golden,sandbox,contract}/**/*.test.ts'],
    pool: 'threads',
    maxWorkers: 4, // on two cores: half of the time is waiting for sockets
    isolate: false, // nothing is mocked and no module keeps state, so files may share a worker
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
