import { defineConfig } from 'vitest/config'

export default defineConfig({
  define: { COE_VERSION: '"0.0.0-test"', COE_COMMIT: '"test"' },
  test: {
    // the crash and fault matrices with all their cells, of which npm test tries some
    include: [
      'test/{contract,e2e}/**/*.test.ts',
      'test/sandbox/crash/{adopted,create-delete,join-unjoin,server-faults}.test.ts',
    ],
    globalSetup: ['test/e2e/announce.ts'],
    reporters: ['verbose'], // names what is skipped, too
    pool: 'threads',
    maxWorkers: 1, // real servers, shared by all of them
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    env: { COE_E2E: '1' },
  },
})
