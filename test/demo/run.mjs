/** `npm run demo`: what coe is for, in a simulated cloud on this machine. Needs nothing but Node. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { story } from './story.mjs'

const coe = fileURLToPath(new URL('../../bin/coe.js', import.meta.url))
const { CI, NO_COLOR } = process.env
const plain = !process.stdout.isTTY || (CI && CI !== 'false') || NO_COLOR
const say = (text = '') => process.stdout.write(`${text}\n`)
const look = (code, text) => (plain ? text : `\x1b[${code}m${text}\x1b[0m`)

function run(args, env = {}) {
  const { status, error } = spawnSync(process.execPath, [coe, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (error) throw error
  return status
}

async function tell(chapters) {
  for (const { title, env, steps } of chapters) {
    say(`\n${look('1', `# ${title}`)}`)
    say()
    for (const [name, value] of Object.entries(env)) say(look('36', `$ export ${name}=${value}`))
    for (const step of steps) await play(step, env)
  }
}

async function play({ line, exit = 0, because, act }, env) {
  say(because ? look('2', `\n# ${because}`) : '')
  if (act) return act(say)
  const typed = `coe ${line.join(' ')}`
  say(look('36', `$ ${typed}`))
  const status = run(line, env)
  if (status !== exit) throw new Error(`"${typed}" ended with ${status}, not ${exit}`)
}

if (process.argv[2] === '--inside') {
  await tell(story).catch(error => {
    process.stderr.write(`\nthe demo failed: ${error.message}\n`)
    process.exitCode = 1
  })
} else {
  const begun = Date.now()
  const self = fileURLToPath(import.meta.url)
  const sandbox = ['sandbox', 'run', '--federation', 'working', '--speed', '20', '--']
  process.exitCode = run([...sandbox, process.execPath, self, '--inside'])
  const seconds = ((Date.now() - begun) / 1000).toFixed(1)
  if (process.exitCode === 0) say(`\n${look('32', `all of it worked, in ${seconds} s; nothing of it is left`)}`)
}
