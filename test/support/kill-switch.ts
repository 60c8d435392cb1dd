export * from '../../src/sandbox/kill-switch.ts'
