// `npm run test:e2e`: what is tried on OpenStack alone and on Kubernetes alone goes side by side, for most of both is waiting for servers;
// what needs both comes after. Words are passed on to vitest: `npm run test:e2e -- test/e2e/magnum.test.ts`.
import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'

const words = process.argv.slice(2)
const children = new Set()
const sum = { failed: 0, passed: 0, skipped: 0 }
/** Told again at the end: between the lines of two lanes, or above what a log keeps, nobody finds them. */
const failures = []

/** One vitest; its exit code. Each of its lines says which lane it is of. */
function run(lane) {
  const args = ['vitest', 'run', '--config', 'vitest.e2e.config.ts', '--passWithNoTests', ...words]
  const env = { ...process.env, COE_E2E_LANE: lane }
  const child = spawn('npx', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  for (const stream of [child.stdout, child.stderr]) {
    let failing = false
    createInterface({ input: stream }).on('line', line => {
      if (/^ *Tests /.test(plain(line))) count(plain(line))
      failing = / FAIL /.test(plain(line)) || (failing && !/^ *[❯⎯]/.test(plain(line)))
      if (failing) failures.push(plain(line))
      process.stdout.write(`${lane.padEnd(10)} ${line}\n`)
    })
  }
  return new Promise(resolve => {
    child.on('close', (code, signal) => {
      children.delete(child)
      resolve(signal ? 1 : code)
    })
  })
}

const plain = line => line.replace(/\x1b\[[\d;]*m/g, '')

function count(line) {
  for (const what of Object.keys(sum)) sum[what] += Number(new RegExp(`(\\d+) ${what}`).exec(line)?.[1] ?? 0)
}

// a terminal tells the children itself; they tell us how they ended
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {
  for (const child of children) child.kill('SIGTERM')
})

// the scenarios run the built program, and it shall be the one of these sources
if (spawnSync(process.execPath, ['build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1)
const codes = await Promise.all([run('openstack'), run('kubernetes')])
codes.push(await run('both'))
const told = Object.entries(sum).filter(([, number]) => number > 0)
if (failures.length) process.stdout.write(`\n== what failed\n${failures.slice(0, 200).join('\n')}\n`)
process.stdout.write(`\n Tests  ${told.map(([what, number]) => `${number} ${what}`).join(' | ') || 'none'}\n`)
process.exit(told.length === 0 ? 1 : Math.max(...codes))
