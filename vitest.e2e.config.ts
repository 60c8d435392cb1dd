import { defineConfig } from 'vitest/config'

/** Files that share servers go one after the other; test/e2e/lanes.mjs lets those that share none go side by side. */
const lanes = {
  openstack: ['test/contract/openstack/*.test.ts', 'test/e2e/{drop-in,magnum,magnum-troubles,parity}.test.ts'],
  kubernetes: ['test/contract/kubernetes/*.test.ts', 'test/e2e/standalone*.test.ts'],
  both: ['test/e2e/flagship.test.ts'],
}
/** The crash and fault matrices with all their cells, of which npm test tries some. They need no server: the shorter lane has them. */
const matrices = 'test/sandbox/crash/{adopted,create-delete,join-unjoin,server-faults}.test.ts'

const files = { ...lanes, openstack: [...lanes.openstack, matrices] }
const lane = process.env.COE_E2E_LANE as keyof typeof files | undefined

export default defineConfig({
  define: { COE_VERSION: '"0.0.0-test"', COE_COMMIT: '"test"' },
  test: {
    include: lane === undefined ? Object.values(files).flat() : files[lane],
    globalSetup: ['test/e2e/announce.ts'],
    reporters: ['verbose'], // names what is skipped, too
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    env: { COE_E2E: '1' },
  },
})
