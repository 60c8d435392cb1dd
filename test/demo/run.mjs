/** `npm run demo`: what coe is for, in a simulated cloud on this machine. Needs nothing but Node. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { story } from './story.mjs'

const coe = fileURLToPath(new URL('../../bin/coe.js', import.meta.url))
const { CI, NO_COLOR } = process.env
const plain = !process.stdout.isTTY || (CI && CI !== 'false') || NO_COLOR
const say = (text = '') => process.stdout.write(`${text}\n`)
const look = (code, text) => (plain ? text : `\x1b[${code}m${text}\x1b[0m`)

function run(args) {
  const { status, error } = spawnSync(process.execPath, [coe, ...args], { stdio: 'inherit' })
  if (error) throw error
  return status
}

/** As it would be typed. */
const typed = words => words.map(w => (/^[\w./:=,@-]+$/.test(w) ? w : `'${w}'`)).join(' ')

function tell(chapters) {
  for (const { title, steps } of chapters) {
    say(`\n${look('1', `# ${title}`)}`)
    for (const { line, exit = 0, because } of steps) {
      if (because) say(look('2', `\n# ${because}`))
      else say()
      say(look('36', `$ coe ${typed(line)}`))
      const status = run(line)
      if (status !== exit) {
        process.stderr.write(`\nthe demo failed: "coe ${typed(line)}" ended with ${status}, not ${exit}\n`)
        return 1
      }
    }
  }
  return 0
}

if (process.argv[2] === '--inside') {
  process.exitCode = tell(story)
} else {
  const begun = Date.now()
  const self = fileURLToPath(import.meta.url)
  const sandbox = ['sandbox', 'run', '--federation', 'working', '--speed', '20', '--']
  process.exitCode = run([...sandbox, process.execPath, self, '--inside'])
  const seconds = ((Date.now() - begun) / 1000).toFixed(1)
  if (process.exitCode === 0) say(`\n${look('32', `all of it worked, in ${seconds} s; nothing of it is left`)}`)
}
