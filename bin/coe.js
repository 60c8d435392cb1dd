#!/usr/bin/env node
// Guards the version before anything newer is parsed, then hands over.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`coe: Node.js 20.19 or newer is needed; this is ${process.version}\n`)
  process.exitCode = 1
} else {
  // Most runs end before optimised code would pay, and the optimiser takes 4 MB; the sandbox is the one that stays.

  ;(await import('node:module')).default.enableCompileCache?.() // Node 22 and later start faster with it
  const { run } = await import('../dist/main.js')
  process.exitCode = await run()
}
